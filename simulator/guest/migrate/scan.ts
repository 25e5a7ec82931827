import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { StorageMap } from '../../storage/mapping';
import { mapStorage } from '../../storage/mapping';
import { contentOf, storageNamed, storageOn } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId } from '../../storage/volumes/name';
import { requireVolume } from '../../storage/volumes/volumes';
import type { Guest } from '../../world';
import { ownsVolume } from '../drives/detach';
import type { VolumeUse } from './volume-uses';
import { volumeUses } from './volume-uses';

/** What a migration looks at. */
export interface MigrationScan {
  sim: Sim;
  guest: Guest;
  target: string;
  running: boolean;
  withLocalDisks: boolean;
  storages: StorageMap | undefined;
  log(line: string): void;
}

/** A volume that has to be copied to the other node. */
export interface LocalVolume {
  volid: string;
  targetStorage: string;
  ref: Ref;
}

type Ref = keyof typeof FOUND;

const FOUND = {
  attached: (volid: string) => `found local disk '${volid}' (attached)`,
  unused: (volid: string) => `found local disk '${volid}' (unused)`,
  snapshot: (volid: string) => `found local disk '${volid}' (referenced by snapshot(s))`,
  pending: (volid: string) => `found local disk '${volid}' (pending change)`,
  generated: (volid: string) => `found generated disk '${volid}' (in current VM config)`,
  config: (volid: string) => `found local disk '${volid}'`,
};

/** Finds the volumes that must move with the guest. Fails after logging what stands in the way. */
export function scanVolumes(scan: MigrationScan): LocalVolume[] {
  const found: LocalVolume[] = [];
  const errors = new Map<string, string>();
  const others: string[] = [];
  for (const use of volumeUses(scan.guest)) {
    const text = attempt(() =>
      inspect(
        scan,
        use,
        volume => found.push(volume),
        line => others.push(line),
      ),
    );
    if (text !== undefined) errors.set(use.volid, text);
  }
  found.sort((left, right) => (left.volid < right.volid ? -1 : 1));
  for (const { volid, ref } of found) {
    if (ref === 'attached' && scan.running && !scan.withLocalDisks) {
      errors.set(volid, "can't live migrate attached local disks without with-local-disks option");
    }
    scan.log(FOUND[ref](volid));
  }
  for (const volid of [...errors.keys()].sort()) {
    scan.log(`can't migrate local disk '${volid}': ${errors.get(volid)}`);
  }
  others.forEach(line => scan.log(line));
  if (errors.size > 0 || others.length > 0) fail("can't migrate VM - check log");
  for (const { volid } of found) checkType(scan.sim, volid);
  return found;
}

function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message.trimEnd();
    throw error;
  }
}

function inspect(
  scan: MigrationScan,
  use: VolumeUse,
  found: (volume: LocalVolume) => void,
  trouble: (line: string) => void,
): void {
  const { sim, guest, target } = scan;
  const { volid } = use;
  if (volid.startsWith('/')) {
    if (use.shared) return;
    found({ volid, targetStorage: '', ref: 'config' });
    fail('local file/device');
  }
  if (use.cdrom && volid === 'cdrom') return trouble("can't migrate local cdrom drive");
  if (use.cdrom && volid === 'none') return;
  const { storage: id } = splitVolumeId(volid);
  const storage = storageOn(sim, guest.node, id);
  const targetStorage = storage.shared ? id : mapStorage(scan.storages, id);
  checkTarget(sim, target, targetStorage, volid);
  if (storage.shared) return;
  requireVolume(sim, guest.node, volid);
  const cloudInit = use.cdrom === 1 && /vm-\d+-cloudinit/.test(volid);
  found({ volid, targetStorage, ref: cloudInit ? 'generated' : refOf(use) });
  if (cloudInit) return;
  if (use.cdrom) fail('local cdrom image');
  checkOwner(scan, volid);
  if (!use.is_vmstate && use.referenced_in_snapshot) checkSnapshots(scan, volid);
  if (sim.world.volumes.some(({ parent }) => parent === volid)) fail('referenced by linked clone(s)');
}

function refOf(use: VolumeUse): Ref {
  if (use.is_tpmstate) return 'generated';
  if (use.is_attached) return 'attached';
  if (use.is_unused) return 'unused';
  return use.referenced_in_snapshot ? 'snapshot' : 'pending';
}

function checkTarget(sim: Sim, target: string, id: string, volid: string): void {
  const storage = storageOn(sim, target, id);
  const { content } = parseVolumeName(
    storageNamed(sim, splitVolumeId(volid).storage),
    splitVolumeId(volid).rest,
  );
  if (!contentOf(storage).includes(content)) {
    fail(`${volid}: content type '${content}' is not available on storage '${id}'`);
  }
}

function checkOwner({ sim, guest }: MigrationScan, volid: string): void {
  if (ownsVolume(sim, guest.vmid, volid)) return;
  const { storage, rest } = splitVolumeId(volid);
  fail(`owned by other VM (owner = VM ${parseVolumeName(storageNamed(sim, storage), rest).vmid ?? ''})`);
}

function checkSnapshots({ sim, running }: MigrationScan, volid: string): void {
  if (running) fail('online storage migration not possible if non-replicated snapshot exists');
  const storage = storageNamed(sim, splitVolumeId(volid).storage);
  if (storage.type !== 'zfspool' && !volid.endsWith('.qcow2')) fail('non-migratable snapshot exists');
}

function checkType(sim: Sim, volid: string): void {
  const { storage: id, rest } = splitVolumeId(volid);
  const storage = storageNamed(sim, id);
  if (!['dir', 'btrfs', 'zfspool', 'lvmthin', 'lvm'].includes(storage.type)) {
    fail(`can't migrate '${volid}' - storage type '${storage.type}' not supported`);
  }
  const { base } = parseVolumeName(storage, rest);
  if (base !== undefined) {
    // recording i4, step 14: this text has no line end, so Perl says where it comes from
    fail(
      `can't migrate '${volid}' as it's a clone of '${base.replace(/^.*\//, '')}' at /usr/share/perl5/PVE/QemuMigrate.pm line 586.`,
    );
  }
}

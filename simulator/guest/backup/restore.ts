import type { Sim } from '../../cluster/sim';
import { guestLock } from '../../cluster/lock-files';
import { fail } from '../../failure';
import { enterPool } from '../../access/change-members';
import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import { storageNamed } from '../../storage/on-node';
import { pluginOf } from '../../storage/plugins';
import { freeVolume, requireVolume, tryFindVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Config, Guest } from '../../world';
import { checkLock } from '../conf-file/load';
import { writeConfig } from '../conf-file/write';
import { ownsVolume } from '../drives/detach';
import { createDisks } from '../drives/create';
import type { Drive } from '../drives/drive';
import { drivesOf, isCdrom, isCloudInit, printDrive, unusedOf } from '../drives/drive';
import { parseSize } from '../drives/size';
import { isNetKey, newMac, parseNet } from '../keys/net';
import { configFormat } from '../keys/schema';
import { reserveGuest } from '../lifecycle/create';
import type { Archive } from './archive';
import { readArchive } from './archive';

/** A guest to bring back from a backup. */
export interface Restore {
  sim: Sim;
  user: string;
  node: string;
  vmid: number;
  archive: string;
  /** What the request says over the archive; verified. */
  settings: Config;
  /** Over a guest that is there. */
  force: boolean;
  /** With new MAC addresses and a new uuid. */
  unique: boolean;
  pool?: string;
  /** For all disks; absent: where each stood. */
  storage?: string;
}

const LOCK_MS = 1000;

/** Takes the id with the lock `create`: a new one, or, by force, that of a guest on this node. */
export async function reserveRestore(request: Restore): Promise<void> {
  const { sim, node, vmid, force } = request;
  const there = sim.world.guests[vmid];
  if (!force || there?.type !== 'qemu' || there.node !== node) return reserveGuest(request);
  await sim.flocks.hold(guestLock(node, vmid), LOCK_MS, () => {
    checkLock(there);
    writeConfig(sim, there, draft => (draft.config['lock'] = 'create'));
  });
}

/** Restores the reserved guest inside a task. When that fails, what is there stays, without the lock. */
export async function restoreGuest(request: Restore, task: TaskContext): Promise<void> {
  const { sim, node, vmid, pool } = request;
  try {
    await sim.flocks.hold(guestLock(node, vmid), LOCK_MS, async () => {
      const guest = requireReserved(request);
      const volume = requireVolume(sim, node, request.archive);
      const archive = readArchive(Buffer.from(volume.text ?? '', 'latin1').toString());
      const old = { ...guest.config };
      await task.workUsual();
      const kept = freeOld(request, archive, old);
      const disks = makeDisks(request, archive, task);
      writeConfig(sim, guest, draft => {
        draft.config = { ...restoredConfig(request, archive, disks), ...kept };
        draft.pending = {};
        draft.pendingDelete = {};
        draft.snapshots = {};
        draft.cloudInitImage = null;
        draft.system = structuredClone(volume.system ?? draft.system);
      });
    });
  } catch (error) {
    const guest = sim.world.guests[vmid];
    if (guest?.config['lock'] === 'create') writeConfig(sim, guest, draft => delete draft.config['lock']);
    throw error;
  }
  enterPool(sim.world, pool, vmid);
}

function requireReserved({ sim, vmid }: Restore): Guest {
  const guest = sim.world.guests[vmid];
  const why = `unable to restore VM ${vmid} -`;
  if (!guest) return fail(`${why} its configuration is gone`);
  if (guest.config['protection'] === '1') fail(`${why} protection mode enabled`);
  if (guest.running) fail(`${why} vm is running`);
  return guest;
}

/** New volumes for the disks in the archive and for cloud-init drives. */
function makeDisks(request: Restore, archive: Archive, task: TaskContext): Config {
  const { sim, user, node, vmid, storage } = request;
  const wanted = drivesOf(archive.config).flatMap(drive => {
    const from = archive.disks.get(drive.key);
    const cloudInit = isCloudInit(drive);
    if (from === undefined && !cloudInit) return [];
    const target = storage ?? from?.storage ?? drive.file.slice(0, drive.file.indexOf(':'));
    // PVE: in the format that it had, where the storage knows it
    const { formats } = pluginOf(storageNamed(sim, target).type);
    const format = from && formats.length > 1 && formats.includes(from.format) ? { format: from.format } : {};
    return [[drive.key, printDrive(asNew(drive, target, { cloudInit, format }))] as const];
  });
  const settings = Object.fromEntries(wanted);
  const made = createDisks({ sim, user, node, vmid, config: settings, settings, log: () => undefined });
  for (const { file } of drivesOf(made)) task.log(`new volume ID is '${file}'`);
  return made;
}

function asNew(
  drive: Drive,
  storage: string,
  { cloudInit, format }: { cloudInit: boolean; format: { format?: string } },
): Drive {
  const { size = '1G', ...rest } = drive.options;
  const options = { ...rest, ...format };
  const gib = (parseSize(size) ?? 0) / 1024 ** 3;
  return { ...drive, options, file: `${storage}:${cloudInit ? 'cloudinit' : gib}` };
}

function restoredConfig({ sim, settings, unique }: Restore, archive: Archive, disks: Config): Config {
  const config = { ...archive.config, ...disks, ...settings };
  // PVE: a disk that was left out of the backup is not there any more
  for (const drive of drivesOf(archive.config)) {
    if (!isCdrom(drive) && !(drive.key in disks) && !(drive.key in settings)) delete config[drive.key];
  }
  if (config['vmgenid'] !== undefined) config['vmgenid'] = sim.random.uuid();
  for (const key of unique ? Object.keys(config).filter(isNetKey) : []) {
    const net = parseNet(config[key] ?? '');
    config[key] = printPropertyString(configFormat('net0') ?? '', { ...net, macaddr: newMac(sim) });
  }
  if (unique) {
    const format = configFormat('smbios1') ?? '';
    const smbios = parsePropertyString(format, config['smbios1'] ?? '');
    config['smbios1'] = printPropertyString(format, { ...smbios, uuid: sim.random.uuid() });
  }
  return config;
}

/**
 * Frees the disks of the guest that was there before, where the archive brings one for the same slot. The others are
 * kept, as the lines that are answered. PVE: qemu-server restore_cleanup_oldconf, and a rescan after it.
 */
function freeOld({ sim, node, vmid }: Restore, archive: Archive, old: Config): Config {
  const kept: Config = {};
  for (const drive of [...drivesOf(old), ...unusedOf(old)]) {
    if (isCdrom(drive, true) || !ownsVolume(sim, vmid, drive.file)) continue;
    const volume = tryFindVolume(sim, node, drive.file);
    const isRestored = archive.disks.has(drive.key) || isCloudInit(drive);
    if (isRestored && volume) freeVolume(sim, volume);
    else if (!isRestored) kept[`unused${Object.keys(kept).length}`] = drive.file;
  }
  return kept;
}

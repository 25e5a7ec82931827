import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { pluginOf } from '../../storage/plugins';
import { storageNamed } from '../../storage/on-node';
import { copyVolume, linkVolume, requireVolume } from '../../storage/volumes/volumes';
import type { Volume } from '../../world';
import type { Drive } from './drive';
import { isCloudInit } from './drive';
import { efiDiskSize } from './firmware';
import { formatDiskSize } from '../../schema/formats/disk-size';

/** A drive to copy. */
export interface DriveCopy {
  /** Where the source is, and where the copy is made. */
  node: string;
  source: Drive;
  /** The guest that owns the source; undefined for a volume that no drive uses. */
  sourceVmid?: number;
  running: boolean;
  snapname?: string;
  target: { vmid: number; key: string; storage?: string; format?: string };
  /** A copy of all data; false: a linked clone. */
  full: boolean;
  log(line: string): void;
}

/**
 * Copies one drive as clone, move and import do: allocates the target, logs Proxmox's lines, returns the new drive.
 * Takes no time itself: `copyData` does. The caller frees the new volume (its file) when a later step fails.
 */
export function cloneDrive(sim: Sim, copy: DriveCopy): Drive {
  const { source, target, log } = copy;
  const mirrored = isMirrored(copy);
  checkNames(copy, mirrored);
  const volume = requireVolume(sim, copy.node, source.file);
  const named = source.key === '' ? '' : ` ${source.key}`;
  log(`create ${copy.full ? 'full' : 'linked'} clone of drive${named} (${source.file})`);
  const made = copy.full ? fullCopy(sim, copy, volume) : linkedCopy(sim, copy, volume);
  if (copy.full) log(`allocated target volume '${made.volid}'`);
  if (mirrored && !isCloudInit(source)) log(`drive mirror is starting for drive-${source.key}`);
  const options: Record<string, string> = { ...source.options, size: formatDiskSize(made.size) };
  delete options['format'];
  return { key: target.key, file: made.volid, options };
}

/** Whether qemu copies the drive, because a guest is at work with it. */
export function isMirrored({ full, running, source, snapname }: DriveCopy): boolean {
  return full && running && source.key !== '' && snapname === undefined;
}

/** The lines with which a mirror ends (assumed); none of a copy that is none. A guest does not go over to the copies of its clone. */
export function mirrorEnd(copy: DriveCopy): string[] {
  const { source, sourceVmid, target } = copy;
  if (!isMirrored(copy) || isCloudInit(source)) return [];
  const ready = "all 'mirror' jobs are ready";
  if (sourceVmid !== target.vmid) return [ready];
  const job = `drive-${source.key}`;
  return [
    ready,
    `${job}: Completing block job...`,
    `${job}: Completed successfully.`,
    `${job}: mirror-job finished`,
  ];
}

function checkNames({ source, sourceVmid, target }: DriveCopy, mirrored: boolean): void {
  if (source.key !== '' && source.key !== target.key) {
    for (const [key, what] of Object.entries({ efidisk0: 'EFI disk', tpmstate0: 'TPM state' })) {
      if ([source.key, target.key].includes(key)) fail(`cloning from/to ${what} requires ${what}`);
    }
    if (mirrored && sourceVmid === target.vmid) {
      fail('cannot change drive name when cloning disk from/to the same VM');
    }
  }
  if (mirrored && source.key === 'tpmstate0') fail('cannot move TPM state while VM is running');
}

function fullCopy(sim: Sim, { node, source, target }: DriveCopy, volume: Volume): Volume {
  const storage = storageNamed(sim, target.storage ?? volume.storage);
  const plugin = pluginOf(storage.type);
  const wanted = target.format ?? volume.format;
  const format = plugin.formats.includes(wanted) ? wanted : plugin.defaultFormat;
  const cloudInit = isCloudInit(source);
  const ending = plugin.naming === 'file' ? `.${format}` : '';
  const name = cloudInit ? { name: `vm-${target.vmid}-cloudinit${ending}` } : {};
  const size = target.key === 'efidisk0' ? { size: efiDiskSize(source) } : {};
  return copyVolume(
    sim,
    { ...volume, ...size },
    { storage: storage.storage, node, vmid: target.vmid, format, ...name },
  );
}

function linkedCopy(sim: Sim, { node, target, snapname, log }: DriveCopy, volume: Volume): Volume {
  const from = snapname === undefined ? {} : { snapname };
  const made = linkVolume(sim, volume, { node, vmid: target.vmid, ...from });
  if (pluginOf(storageNamed(sim, volume.storage).type).naming !== 'file') return made;
  const base = volume.volid.slice(volume.volid.indexOf(':') + 1);
  const name = made.volid.slice(made.volid.lastIndexOf('/') + 1);
  const below = base.split('/').slice(-2).join('/');
  log(`clone ${base}: images, ${name}, ${target.vmid} to ${name} (base=../${below})`);
  return made;
}

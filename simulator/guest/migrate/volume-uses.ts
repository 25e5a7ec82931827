import type { Config, Guest } from '../../world';
import type { Drive } from '../drives/drive';
import {
  drivesOf,
  isCdrom,
  isCloudInit,
  isDriveKey,
  isUnusedKey,
  parseDrive,
  unusedOf,
} from '../drives/drive';
import { parseSize } from '../drives/size';

/** How a guest uses one volume, in the words of the migration preflight. */
export interface VolumeUse {
  volid: string;
  cdrom: 0 | 1;
  is_attached: 0 | 1;
  is_cloudinit: 0 | 1;
  is_tpmstate: 0 | 1;
  is_unused: 0 | 1;
  is_vmstate: 0 | 1;
  replicate: 0 | 1;
  shared: 0 | 1;
  drivename?: string;
  size?: number;
  referenced_in_pending?: 1;
  referenced_in_snapshot?: Record<string, 1>;
}

type Where = { snapshot?: string; pending?: true };

/** Every volume that the guest's configuration, pending changes and snapshots name, with how they use it. */
export function volumeUses(guest: Guest): VolumeUse[] {
  const uses = new Map<string, VolumeUse>();
  for (const drive of allDrives(guest.config)) note(uses, drive, {});
  for (const drive of allDrives(guest.pending)) note(uses, drive, { pending: true });
  for (const [snapshot, { config, vmstate }] of Object.entries(guest.snapshots)) {
    const state = vmstate === undefined ? {} : { vmstate };
    for (const drive of allDrives({ ...config, ...state })) note(uses, drive, { snapshot });
  }
  return [...uses.values()];
}

function allDrives(config: Config): Drive[] {
  const state = config['vmstate'] === undefined ? [] : [parseDrive('vmstate', config['vmstate'])];
  return [...drivesOf(config), ...unusedOf(config), ...state].filter(({ file }) => file !== '');
}

function note(uses: Map<string, VolumeUse>, drive: Drive, where: Where): void {
  const { key, file, options } = drive;
  const use = uses.get(file) ?? newUse(file);
  uses.set(file, use);
  if (!isCdrom(drive)) use.cdrom = 0;
  if (options['replicate'] !== '0') use.replicate = 1;
  if (options['shared'] === '1') use.shared = 1;
  if (isUnusedKey(key)) use.is_unused = 1;
  else if (where.snapshot === undefined && !where.pending) use.is_attached = 1;
  if (isCloudInit(drive)) use.is_cloudinit = 1;
  if (key === 'tpmstate0') use.is_tpmstate = 1;
  if (key === 'vmstate') use.is_vmstate = 1;
  if (isDriveKey(key)) use.drivename = key;
  const size = parseSize(options['size'] ?? '');
  if (size !== undefined) use.size ??= size;
  if (where.pending) use.referenced_in_pending = 1;
  if (where.snapshot !== undefined) {
    use.referenced_in_snapshot = { ...use.referenced_in_snapshot, [where.snapshot]: 1 };
  }
}

function newUse(volid: string): VolumeUse {
  return {
    volid,
    cdrom: 1,
    is_attached: 0,
    is_cloudinit: 0,
    is_tpmstate: 0,
    is_unused: 0,
    is_vmstate: 0,
    replicate: 0,
    shared: 0,
  };
}

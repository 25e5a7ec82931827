import { DISK_TYPES, type DiskType } from '../../spec';
import { keysOf } from '../pve/keys/key-row';
import type { Configuration } from './configuration';
import { isDisk } from './drive';

const SLOTS = new Map(DISK_TYPES.map(type => [type, keysOf(`${type}[n]`)] as const));
const BUSES = new Map([...SLOTS].flatMap(([type, slots]) => slots.map(slot => [slot, type] as const)));

/** All slots of a bus, lowest first. */
export function slotsOf(type: DiskType): readonly string[] {
  return SLOTS.get(type) ?? [];
}

export const NETWORK_SLOTS: readonly string[] = keysOf('net[n]');

/** Every slot that a drive can have, in the order in which a boot disk is looked for. */
export const DRIVE_SLOTS: readonly string[] = (['scsi', 'virtio', 'sata', 'ide'] as const).flatMap(slotsOf);

/** The EFI variables and the TPM's state. */
export const STATE_SLOTS: readonly string[] = ['efidisk0', 'tpmstate0'];

/** Every key whose line is a drive of the guest: the slots, the EFI disk and the TPM's volume. */
export const DRIVE_KEYS: readonly string[] = [...DRIVE_SLOTS, ...STATE_SLOTS];

/** The bus of a slot; undefined when it is no drive's. */
export function busOf(slot: string): DiskType | undefined {
  return BUSES.get(slot);
}

/** The slots that a guest boots from, in order; empty where it says so in the old way or not at all. */
export function bootSlots(config: Configuration): string[] {
  const order = /(?:^|,)order=([^,]*)/.exec(config.boot ?? '')?.[1] ?? '';
  const slots = order.split(';').filter(Boolean);
  return config.bootdisk === undefined ? slots : [...slots, config.bootdisk];
}

/** The slot of the disk that a guest boots from: the first disk of its boot order, else of its buses. */
export function bootDiskSlot(config: Configuration): string | undefined {
  return [...bootSlots(config), ...DRIVE_SLOTS].find(slot => isDisk(config[slot]));
}

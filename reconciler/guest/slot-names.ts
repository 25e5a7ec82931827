import { DISK_TYPES, LAST_SLOT, type DiskType } from '../../spec';

const NIC_COUNT = 32;

/** All slots of a bus, lowest first. */
export function slotsOf(type: DiskType): string[] {
  return Array.from({ length: LAST_SLOT[type] + 1 }, (_, index) => `${type}${index}`);
}

export const NETWORK_SLOTS: readonly string[] = Array.from(
  { length: NIC_COUNT },
  (_, index) => `net${index}`,
);

/** Every slot that a drive can have, in the order in which a boot disk is looked for. */
export const DRIVE_SLOTS: readonly string[] = (['scsi', 'virtio', 'sata', 'ide'] as const).flatMap(slotsOf);

/** The bus of a slot; undefined when it is no drive's. */
export function busOf(slot: string): DiskType | undefined {
  return DISK_TYPES.find(type => slotsOf(type).includes(slot));
}

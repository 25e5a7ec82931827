import type { Configuration } from '../guest/configuration';
import { isCdrom, isCloudInit } from '../guest/drive';
import { DRIVE_SLOTS, slotsOf } from '../guest/slot-names';

// PVE starts with a CD-ROM in any of these, whatever the chipset and firmware
const CANDIDATES = ['ide2', 'ide0', 'ide1', 'ide3', ...slotsOf('sata').toReversed(), 'scsi30'];

/** The slot of the CD-ROM drive: the one that is there, else a free one. */
export function cdromSlot(config: Configuration, taken: ReadonlySet<string>): string {
  return DRIVE_SLOTS.find(slot => isCdrom(config[slot])) ?? free(taken);
}

/** The slot of PVE's cloud-init drive: the one that is there, else a free one. */
export function cloudInitSlot(config: Configuration, taken: ReadonlySet<string>): string {
  return DRIVE_SLOTS.find(slot => isCloudInit(config[slot])) ?? free(taken);
}

function free(taken: ReadonlySet<string>): string {
  return CANDIDATES.find(slot => !taken.has(slot)) ?? 'scsi30';
}

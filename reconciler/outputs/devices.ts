import type { MachineOutputs } from '../../spec';
import { propertiesOf } from '../guest/configuration';
import { isDisk, readDrive } from '../guest/drive';
import type { ObservedGuest } from '../observed';
import { DRIVE_SLOTS, NETWORK_SLOTS } from '../guest/slot-names';

/** MAC addresses by the name of the network; a card that nobody named stands under its slot. */
export function macAddresses({ current, mark }: ObservedGuest): Record<string, string> {
  return Object.fromEntries(
    NETWORK_SLOTS.filter(slot => current[slot] !== undefined).map(slot => {
      const { macaddr } = propertiesOf(slot, current[slot]);
      return [nameOf(slot, mark?.networks), String(macaddr ?? '').toUpperCase()];
    }),
  );
}

/** Disks by name; a disk that nobody named stands under its slot. */
export function diskOutputs({ current, mark }: ObservedGuest): MachineOutputs['disks'] {
  return Object.fromEntries(
    DRIVE_SLOTS.filter(slot => isDisk(current[slot])).map(slot => {
      const { file, bytes = 0 } = readDrive(current[slot]);
      return [nameOf(slot, mark?.disks), { slot, volume: file, size: bytes }];
    }),
  );
}

/** The name that a mark remembers for a slot; the slot itself where nobody named it. */
export function nameOf(slot: string, slots: Record<string, string> = {}): string {
  return Object.entries(slots).find(([, remembered]) => remembered === slot)?.[0] ?? slot;
}

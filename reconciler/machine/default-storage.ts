import { DRIVE_SLOTS } from '../guest/slot-names';
import { bootSlots } from '../guest/boot-slots';
import { isDisk, readDrive } from '../guest/drive';
import type { Configuration } from '../guest/configuration';
import type { MachineSpec } from '../../spec';

interface Room {
  spec: Pick<MachineSpec, 'disks'>;
  config: Configuration;
}

/** Where small volumes and disks without a storage go: beside the root disk. Undefined: nothing says. */
export function defaultStorage({ spec: { disks = [] }, config }: Room): string | undefined {
  const root =
    disks.find(({ name }) => name === 'root') ?? disks.find(({ storage }) => storage !== undefined);
  if (root?.storage !== undefined) return root.storage;
  const slot = [...bootSlots(config), ...DRIVE_SLOTS].find(there => isDisk(config[there]));
  const there = slot === undefined ? undefined : config[slot];
  return there === undefined
    ? disks.find(({ storage }) => storage !== undefined)?.storage
    : readDrive(there).storage;
}

import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';
import { chipsetFindings } from './chipset';
import { clearFindings } from './clear';
import { deviceFindings } from './devices';
import { diskFindings } from './disks';
import { guestFindings } from './guest';
import { identityFindings } from './identity';
import { imageFindings } from './image';
import { networkFindings } from './networks';
import { machineOptionFindings } from './options';
import { processorFindings } from './processors';

const CHECKS = [
  identityFindings,
  imageFindings,
  processorFindings,
  diskFindings,
  networkFindings,
  deviceFindings,
  chipsetFindings,
  guestFindings,
  machineOptionFindings,
  clearFindings,
];

/** Everything about one machine that cannot hold together, whatever cluster it is for. */
export function* machineFindings(machine: MachineSpec): Iterable<Finding> {
  for (const check of CHECKS) yield* check(machine);
}

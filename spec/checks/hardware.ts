import type { MachineSpec } from '../machine/machine';
import { problemOf, type Problem } from '../reading/problem';
import { chipsetFindings } from './chipset';
import { processorFindings } from './processors';

/** Whether cores can be divided is said of a spec alone: PVE takes any number. */
const OF_A_SPEC = 'cpu.cores';

/** What contradicts itself in a machine's processors, memory and chipset: for a spec that a guest's own values complete. */
export function hardwareProblems(machine: MachineSpec): Problem[] {
  return [...processorFindings(machine), ...chipsetFindings(machine)]
    .map(finding => problemOf(finding, machine))
    .filter(({ path }) => !path.endsWith(OF_A_SPEC));
}

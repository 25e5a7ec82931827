import type { MachineSpec } from '../../../spec';
import type { PlanContext } from '../../machine/plan-context';
import { isAboutHa } from '../../machine/parts/ha';
import { readHaResource } from '../../pve';
import type { Run } from '../run';

/** Reads what HA is told about a guest, where the spec says something of it. */
export async function haOf(
  { pve }: Run,
  spec: MachineSpec,
  { vmid }: { vmid: number },
): Promise<Pick<PlanContext, 'ha'>> {
  return isAboutHa(spec) ? { ha: (await readHaResource(pve, vmid)) ?? 'none' } : {};
}

import type { MachineSpec } from '../../../spec';
import type { Refusal } from '../../action';
import type { PlanContext } from '../../machine/plan-context';
import { isAboutHa } from '../../machine/parts/ha';
import { haNeeds } from '../../privileges/action-needs';
import { privilegeRefusal } from '../../privileges/refusal';
import { PveError, readHaResource } from '../../pve';
import type { Run } from '../run';

/** Reads what HA is told about a guest, where the spec says something of it; refused where the caller may not look. */
export async function haOf(
  { pve, cluster }: Run,
  spec: MachineSpec,
  { vmid }: { vmid: number },
): Promise<Pick<PlanContext, 'ha'> | { refusals: Refusal[] }> {
  if (!isAboutHa(spec)) return {};
  try {
    return { ha: (await readHaResource(pve, vmid)) ?? 'none' };
  } catch (error) {
    const refusals = privilegeRefusal(spec.id, haNeeds(), cluster);
    if (!(error instanceof PveError) || error.kind !== 'denied' || refusals.length === 0) throw error;
    return { refusals };
  }
}

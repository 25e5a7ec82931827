import { MachineRun } from '../life/machine-run';
import type { DesiredState } from '../../spec';
import { RefusedError } from '../errors';
import type { Surroundings } from '../input/surroundings';
import type { Need } from '../privileges/need';
import { eachMachine } from '../run/each-machine';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';
import { wantedIn } from './each-state';

/**
 * What the lives of the machines of a desired state ask of the caller, whatever he may do. What keeps one from being
 * judged is given to `failed`. Reads only.
 */
export async function machineNeeds(
  run: Run,
  state: DesiredState,
  around: Surroundings,
  failed: (machine: string, error: unknown) => void,
): Promise<Need[]> {
  const needs = await eachMachine<Need[]>(
    wantedIn(state, around),
    async wanted => needsOfOne(run, wanted),
    ({ spec }, error) => {
      failed(spec.id, error);
      return [];
    },
  );
  return needs.flat();
}

async function needsOfOne(run: Run, wanted: Wanted): Promise<Need[]> {
  const { needs, refusals } = await new MachineRun(run, wanted).planner.lifecycleNeeds();
  if (refusals.length > 0) throw new RefusedError(refusals);
  return needs;
}

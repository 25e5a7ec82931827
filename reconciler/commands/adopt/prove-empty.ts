import type { DesiredState } from '../../../spec';
import { isUnfinished } from '../../action';
import { eachMachine } from '../../run/each-machine';
import { MachineRun } from '../../life/machine-run';
import type { ClusterAccess } from '../../config/cluster-access';
import { MachineError } from '../../errors';
import type { Surroundings } from '../../input/surroundings';
import { planText } from '../../report/plan-text';
import { withoutSecrets } from '../../plan/without-secrets';
import { wantedIn } from '../each-state';
import { withRun } from '../with-run';

/** Plans these machines of a desired state as `plan` does, and says of each whether its plan is empty. The errors of those that are not. */
export async function proveEmpty(
  state: DesiredState,
  ids: readonly string[],
  access: ClusterAccess,
  around: Surroundings,
): Promise<unknown[]> {
  if (ids.length === 0) return [];
  const { reporter } = around;
  const wanted = wantedIn(state, around).filter(({ spec }) => ids.includes(spec.id));
  const ends = await withRun(access, around, state, run =>
    eachMachine<unknown[]>(
      wanted,
      async each => {
        const { id, vmid } = each.spec;
        const { reader, planner } = new MachineRun(run, each);
        const plan = await planner.planOnAll(await reader.observe());
        if (isUnfinished(plan) || plan.refusals.length > 0) {
          const shown = planText([withoutSecrets(plan)], 0);
          throw new MachineError(
            id,
            `VM ${vmid} is adopted, and its next plan is not empty: somebody may have changed it meanwhile. ` +
              `Take that into the program, or remove the mark and run adopt again. ${shown}`,
          );
        }
        const waits = plan.waiting.length > 0 ? ' What was changed before waits for a restart still.' : '';
        reporter.say('info', `${id}: VM ${vmid} is adopted, and its next plan is empty.${waits}`);
        return [];
      },
      ({ spec }, error) => [reporter.failed(spec.id, error)],
    ),
  );
  return ends.flat();
}

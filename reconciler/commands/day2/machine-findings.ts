import type { DesiredState } from '../../../spec';
import { eachMachine } from '../../run/each-machine';
import { MachineRun } from '../../apply/machine-run';
import { fault, warning, type Finding } from '../../doctor/finding';
import { RefusedError } from '../../errors';
import type { Refusal } from '../../action';
import type { Options, Surroundings } from '../../input/surroundings';
import { causeText } from '../../report/failure-text';
import type { Run } from '../../run/run';
import { Orphans } from '../../run/reads/orphans';
import { wantedIn } from '../each-state';
import { orphanTexts } from './tell-orphans';

/** What a plan of each machine refuses, and the machines that left the desired state. Only reads. */
export async function machineFindings(
  run: Run,
  state: DesiredState,
  around: Surroundings,
  options: Options,
): Promise<Finding[]> {
  const wanted = wantedIn(state, around).filter(({ spec }) => spec.mode !== 'paused');
  const refused = await eachMachine<Finding[]>(
    wanted,
    async one => {
      const { reader, planner } = new MachineRun(run, one);
      return (await planner.planToRead(await reader.observe())).refusals.map(ofRefusal);
    },
    ({ spec }, error) => {
      run.signal.throwIfAborted();
      if (error instanceof RefusedError) return error.refusals.map(ofRefusal);
      return [
        fault('machines', `${spec.id}: ${causeText(error)}`, `See: pve-reconciler plan of ${spec.id}.`),
      ];
    },
  );
  const orphans = await new Orphans(Infinity).find(run.pve, run.cluster, [state]);
  const left = orphans.map(orphan => {
    const { says, remedy } = orphanTexts(orphan, options);
    return warning('orphans', says, remedy);
  });
  return [...refused.flat(), ...left];
}

function ofRefusal({ machine, detail, remedy }: Refusal): Finding {
  return fault('machines', `${machine}: ${detail}`, remedy.trimEnd());
}

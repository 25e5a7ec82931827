import { eachMachine } from '../../run/each-machine';
import { MachineRun } from '../../life/machine-run';
import { fault, warning, type Finding } from '../../doctor/finding';
import { RefusedError } from '../../errors';
import type { Refusal } from '../../action';
import type { Options, Surroundings } from '../../input/surroundings';
import { causeText } from '../../report/failure-text';
import type { Run } from '../../run/run';
import { Orphans } from '../../run/reads/orphans';
import type { SourcedState } from '../../run/wanted';
import { wantedIn } from '../each-state';
import { orphanTexts } from './tell-orphans';

/**
 * What a plan of each machine refuses, and the machines that left the desired states of this owner on the cluster (`there`):
 * the first of these tells them for all. Only reads.
 */
export async function machineFindings(
  run: Run,
  { state, there }: { state: SourcedState; there: readonly SourcedState[] },
  around: Surroundings,
  options: Options,
): Promise<Finding[]> {
  const findingOf = (refusal: Refusal): Finding => ofRefusal(refusal, options.role);
  const wanted = wantedIn(state, around).filter(({ spec }) => spec.mode !== 'paused');
  const refused = await eachMachine<Finding[]>(
    wanted,
    async one => {
      const { reader, planner } = new MachineRun(run, one);
      return (await planner.planOnAll(await reader.observe())).refusals.map(findingOf);
    },
    ({ spec }, error) => {
      run.signal.throwIfAborted();
      if (error instanceof RefusedError) return error.refusals.map(findingOf);
      return [
        fault('machines', `${spec.id}: ${causeText(error)}`, `See: pve-reconciler plan of ${spec.id}.`),
      ];
    },
  );
  const isTold = there[0] !== undefined && there[0].cluster.name !== state.cluster.name;
  return [...refused.flat(), ...(isTold ? [] : await orphanFindings(run, { state, there }, options))];
}

async function orphanFindings(
  run: Run,
  { state, there }: { state: SourcedState; there: readonly SourcedState[] },
  options: Options,
): Promise<Finding[]> {
  const search = new Orphans(Infinity);
  const orphans = await search.find(run.pve, run.cluster, there);
  const left = orphans.map(orphan => {
    const { says, remedy } = orphanTexts(orphan, options, state.source);
    return warning('orphans', says, remedy);
  });
  return left;
}

/** With a role of a given name the lines that give a privilege stand once, where the caller's rights are reported. */
function ofRefusal({ machine, why, detail, remedy }: Refusal, role: string | undefined): Finding {
  const isTold = why === 'privileges' && role !== undefined;
  const says = `${machine}: ${detail}`;
  return fault('machines', says, isTold ? 'The lines under permissions give it.' : remedy.trimEnd());
}

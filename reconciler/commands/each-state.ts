import type { ClusterAccess } from '../config/cluster-access';
import { secretsOf } from '../config/cloud-init-secrets';
import { wantedOf, type SourcedState, type Wanted } from '../run/wanted';
import type { Run } from '../run/run';
import type { Surroundings } from '../input/surroundings';
import { accessFor, withRun } from './with-run';

/** Works on each desired state, one after the other, with the way to its cluster, and those to all. */
export async function eachState<T>(
  states: readonly SourcedState[],
  around: Surroundings,
  work: (state: SourcedState, access: ClusterAccess, all: readonly ClusterAccess[]) => Promise<T[]>,
): Promise<T[]> {
  const accesses = accessFor(
    states.map(({ cluster }) => cluster),
    around,
  );
  const results: T[] = [];
  for (const [index, state] of states.entries()) {
    const access = accesses[index];
    if (access) results.push(...(await work({ ...state, cluster: access.cluster }, access, accesses)));
  }
  return results;
}

/** Reads the cluster of each desired state once, and works on it: one after the other. */
export function eachRun<T>(
  states: readonly SourcedState[],
  around: Surroundings,
  work: (run: Run, state: SourcedState) => Promise<T[]>,
): Promise<T[]> {
  return eachState(states, around, (state, access) =>
    withRun(access, around, state, run => work(run, state)),
  );
}

/** What a person's run wants of the machines of a desired state. */
export function wantedIn(state: SourcedState, { environment }: Surroundings): Wanted[] {
  return state.machines.map(spec => wantedOf(state, spec, secretsOf(spec, environment)));
}

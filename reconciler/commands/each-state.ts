import type { ClusterAccess } from '../config/cluster-access';
import { secretsOf } from '../config/cloud-init-secrets';
import { wantedOf, type SourcedState, type Wanted } from '../run/wanted';
import type { Run } from '../run/run';
import type { Surroundings } from '../input/surroundings';
import { refuseWantedTwice } from '../input/wanted-twice';
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
  refuseWantedTwice(states, accesses);
  const results: T[] = [];
  for (const [index, state] of states.entries()) {
    const access = accesses[index];
    if (access) results.push(...(await work({ ...state, cluster: access.cluster }, access, accesses)));
  }
  return results;
}

/**
 * Reads the cluster of each desired state once, and works on it: one after the other. `there`: all of its owner's on that
 * cluster, by whatever name.
 */
export function eachRun<T>(
  states: readonly SourcedState[],
  around: Surroundings,
  work: (run: Run, state: SourcedState, there: readonly SourcedState[]) => Promise<T[]>,
): Promise<T[]> {
  return eachState(states, around, (state, access, ways) =>
    withRun(access, around, state, run => work(run, state, statesThere(states, ways, state.owner, access))),
  );
}

/** What anybody wants of a cluster, as these states say. */
export function statesOn(
  states: readonly SourcedState[],
  ways: readonly ClusterAccess[],
  { pve }: ClusterAccess,
): SourcedState[] {
  return states.filter((_, at) => pve.endpoints.some(endpoint => ways[at]?.pve.endpoints.includes(endpoint)));
}

/** What an owner wants of a cluster: the same one may be asked for by several names. */
export function statesThere(
  states: readonly SourcedState[],
  ways: readonly ClusterAccess[],
  owner: string,
  access: ClusterAccess,
): SourcedState[] {
  return statesOn(states, ways, access).filter(state => state.owner === owner);
}

/** What a person's run wants of the machines of a desired state. */
export function wantedIn(state: SourcedState, { environment }: Surroundings): Wanted[] {
  return state.machines.map(spec => wantedOf(state, spec, secretsOf(spec, environment)));
}

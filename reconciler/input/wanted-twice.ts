import type { DesiredState } from '../../spec';
import type { ClusterAccess } from '../config/cluster-access';
import { InputError } from '../errors';

/**
 * Throws where two desired states want one machine of one owner on one cluster: a desired state beside manifests, or one
 * cluster by two names. Each would undo what the other does, also where that takes a disk or makes the machine anew.
 */
export function refuseWantedTwice(states: readonly DesiredState[], ways: readonly ClusterAccess[]): void {
  const wanted = new Map<string, Wish>();
  const faults = states.flatMap((state, at) =>
    state.machines.flatMap(({ id, formerIds = [], mode = 'reconcile' }) => {
      const wish = { state, isWritten: mode === 'reconcile' };
      const keys = keysOf(state.owner, ways[at]?.pve.endpoints ?? [], [id, ...formerIds]);
      const other = keys.flatMap(key => wanted.get(key) ?? []).find(before => areTwo(before, wish));
      keys.filter(key => !wanted.has(key)).forEach(key => wanted.set(key, wish));
      return other === undefined ? [] : twice(id, state, other.state);
    }),
  );
  if (faults.length > 0) throw new InputError(`${faults.join('\n')}\nNothing was changed.`);
}

interface Wish {
  state: DesiredState;
  isWritten: boolean;
}

/** What is only read, under another name of the cluster, harms nobody. Under one name a daemon has one wish of a machine. */
function areTwo(one: Wish, other: Wish): boolean {
  if (one.state === other.state) return false;
  return one.state.cluster.name === other.state.cluster.name || (one.isWritten && other.isWritten);
}

function keysOf(owner: string, endpoints: readonly string[], ids: readonly string[]): string[] {
  return endpoints.flatMap(endpoint => ids.map(id => JSON.stringify([owner, endpoint, id])));
}

function twice(id: string, { owner, cluster }: DesiredState, other: DesiredState): string {
  const where =
    other.cluster.name === cluster.name
      ? `by a desired state (--spec) and by manifests`
      : `as clusters ${other.cluster.name} and ${cluster.name}, which have one endpoint`;
  return `machine ${id} of ${owner} is wanted twice, ${where}: each would undo what the other does. Keep it in one of the two. Where one of them names its id in formerIds, keep the new id there.`;
}

import type { ClusterSpec, DesiredState } from '../../spec';
import { formatProblems, parseDesiredState, SPEC_VERSION, type Problem } from '../../spec';
import { InputError } from '../errors';
import type { AdoptedMachine } from './spec/machine-of';
import { networksOf, mapFor } from './spec/networks';
import type { ObservedGuest } from '../observed';
import type { Json } from './spec/said';
import { without } from './spec/without';

/** Guests in the words of the spec, before they are written in any form. */
export interface Program {
  owner: string;
  cluster: Json & { name: string };
  machines: readonly Pick<AdoptedMachine, 'json' | 'unmanaged' | 'fromState' | 'madeFrom' | 'unsaid'>[];
}

/** The cluster as the program names it: with the bridges in its map that the map would take for others. */
export function clusterOf(name: string, guests: readonly ObservedGuest[]): ClusterSpec {
  const bridges = guests.flatMap(({ current }) =>
    Object.values(networksOf(current)).map(({ bridge }) => String(bridge)),
  );
  const map = mapFor([...new Set(bridges)]);
  return { name, ...(Object.keys(map).length === 0 ? {} : { networkMap: map }) };
}

/** The program as a document. */
export function documentOf({ owner, cluster, machines }: Program): Json {
  return { version: SPEC_VERSION, owner, cluster, machines: machines.map(({ json }) => json) };
}

/**
 * The program as a run reads it. What two machines have and only one may want, such as an address, is taken out of the
 * later one: it stays as it is. Throws where the rest does not hold together.
 */
export function settled(program: Program): { program: Program; state: DesiredState } {
  let now = program;
  for (;;) {
    const parsed = parseDesiredState(documentOf(now));
    if (parsed.ok) return { program: now, state: parsed.value };
    const machines = parsed.problems[0] && lessThan(now.machines, parsed.problems[0]);
    if (machines === undefined) throw new InputError(formatProblems(parsed.problems));
    now = { ...now, machines };
  }
}

function lessThan(
  machines: Program['machines'],
  { at, path, reason }: Problem,
): Program['machines'] | undefined {
  const [list, index, ...within] = at;
  const machine = list === 'machines' ? machines[Number(index)] : undefined;
  const json = machine && without(machine.json, within);
  if (machine === undefined || json === undefined) return undefined;
  const place = path.replace(/^machines\[[^\]]*\]\.?/, '');
  const unmanaged = [...new Set([...machine.unmanaged, place])];
  const unsaid = [...(machine.unsaid ?? []), { field: place, why: reason }];
  return machines.map(each => (each === machine ? { ...each, json, unmanaged, unsaid } : each));
}

import * as fc from 'fast-check';
import type { Newcomer } from '../../../reconciler/placement/layout';
import type { Choice } from '../../../reconciler/placement/placement';
import type { PlacementFacts } from '../../../reconciler/placement/placement-facts';
import type { NodeSpec } from '../../../spec';
import { GiB, listed, node, site, wanted, type Fields } from '../../support/reconciler/placement-site';

/** Some nodes, what is said about them, and machines that are new on them. Few of each, so that all can be tried. */
export interface SmallFleet {
  nodes: { memory: number; isOnline: boolean; zone: string; said: Omit<NodeSpec, 'nodeName'> }[];
  /** The memory of each guest that is there, in GiB, by the number of its node. */
  guests: { at: number; memory: number; tag: string }[];
  machines: Fields[];
}

const app = fc.constantFrom('web', 'db', 'free');
const rule = fc.record({
  key: fc.constantFrom('app', 'tag'),
  operator: fc.constantFrom('In' as const, 'NotIn' as const),
  values: fc.tuple(app),
  mode: fc.constantFrom('hard' as const, 'hard' as const, 'soft' as const, undefined),
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });

const machineFields = fc.record({
  memory: fc.integer({ min: 1, max: 4 }).map(gib => gib * GiB),
  labels: maybe(app.map(name => ({ app: name }))),
  node: maybe(fc.constantFrom('pve1', 'pve2')),
  placement: fc.record({
    affinity: fc.oneof(fc.constant(undefined), fc.constant(undefined), fc.tuple(rule)),
    antiAffinity: fc.oneof(fc.constant(undefined), fc.tuple(rule)),
    nodeSelector: maybe(fc.constantFrom('a', 'b').map(zone => ({ zone }))),
    nodes: maybe(fc.subarray(['pve1', 'pve2', 'pve3'], { minLength: 1 })),
    maxVMsPerNode: maybe(fc.integer({ min: 1, max: 3 })),
    minFreeMemory: maybe(fc.integer({ min: 0, max: 3 }).map(gib => gib * GiB)),
    strategy: maybe(fc.constantFrom('spread' as const, 'pack' as const)),
  }),
});

export const smallFleet: fc.Arbitrary<SmallFleet> = fc.record({
  nodes: fc.array(
    fc.record({
      memory: fc.integer({ min: 2, max: 9 }),
      isOnline: fc.integer({ min: 0, max: 7 }).map(at => at > 0),
      zone: fc.constantFrom('a', 'b'),
      said: fc.record({ maxVMs: maybe(fc.integer({ min: 0, max: 4 })) }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  guests: fc.array(fc.record({ at: fc.nat(3), memory: fc.integer({ min: 1, max: 3 }), tag: app }), {
    maxLength: 2,
  }),
  machines: fc.array(machineFields, { minLength: 1, maxLength: 5 }),
});

const nameOf = (index: number): string => `pve${index + 1}`;

/** What placement is given of such a fleet. */
export function given({ nodes, guests, machines }: SmallFleet): {
  newcomers: Newcomer[];
  facts: PlacementFacts;
} {
  const names = nodes.map((_, index) => nameOf(index));
  const there = guests.filter(({ at }) => at < nodes.length);
  return {
    facts: site(
      nodes.map(({ memory, isOnline }, index) =>
        node(nameOf(index), { memory: memory * GiB, memoryUsed: 0, online: isOnline }),
      ),
      {
        nodes: nodes.map(({ zone, said }, index) => ({ nodeName: nameOf(index), labels: { zone }, ...said })),
        guests: there.map(({ at, memory, tag }, index) =>
          listed(100 + index, nameOf(at), { memory: memory * GiB, tags: [tag], power: 'stopped' }),
        ),
      },
    ),
    newcomers: machines.map((fields, index) => ({
      machine: wanted({ ...fields, id: `m${index}` }),
      sources: { guests: [] },
      among: names,
    })),
  };
}

/** The nodes of machines, by their ids; undefined where there is none. */
export function nodesOf(choices: ReadonlyMap<string, Choice>): Record<string, string | undefined> {
  return Object.fromEntries(
    [...choices].map(([id, choice]) => [id, 'node' in choice ? choice.node : undefined]),
  );
}

import type { ObservedCluster, ObservedMachine } from '../../../reconciler/observed';
import { placeFor } from '../../../reconciler/placement/placement';
import {
  byNode,
  type PlacedMachine,
  type PlacementFacts,
} from '../../../reconciler/placement/placement-facts';
import { FleetMachine, formatProblems, parseDesiredState } from '../../../spec';
import { machine } from '../../support/spec/machine';
import { cluster, planContext, planMachine } from '../../support/reconciler/observed';
import type { Proof } from './proof';

export type Json = Record<string, unknown>;

export const absent: ObservedMachine = { kind: 'absent' };

/** What a plan says of a machine named web. */
export function plan(fields: Json, have = absent, context: Json = {}, there = cluster()): unknown {
  return planMachine(machine(fields), have, there, planContext(context));
}

/** The plans of a machine that is to be made, with each of these. */
export const plans = (...fields: Json[]): Proof => ({ differ: () => fields.map(each => plan(each)) });

/** The plans of a machine that is there, with each of these. */
export const plansOn = (have: ObservedMachine, ...fields: Json[]): Proof => ({
  differ: () => fields.map(each => plan(each, have)),
});

/** What is wrong with a desired state whose cluster and whose first machine say this. */
export function problems(spec: Json, machines: Json[] = [], more: Json = {}): string {
  const named = machines.map(each => ({ id: 'web', image: { blank: true }, ...each }));
  const state = { version: 1, owner: 'o', cluster: { name: 'lab', ...spec }, machines: named, ...more };
  const parsed = parseDesiredState(state);
  return parsed.ok ? '' : formatProblems(parsed.problems);
}

const GiB = 2 ** 30;
const NODES = ['pve1', 'pve2', 'pve3'].map((name, index) => ({
  ...cluster().nodes[0]!,
  name,
  memory: (8 + index) * GiB,
  bridges: ['vmbr0', 'vmbr1'],
  storages: [
    { name: 'local', type: 'dir', content: ['images'], shared: false, active: true, available: 100 * GiB },
  ],
}));

export interface Situation {
  /** What else is in the fleet, and where. */
  beside?: Record<string, Json>;
  nodes?: PlacementFacts['nodes'];
  clusterSpec?: Json;
  there?: Partial<ObservedCluster>;
  preferred?: string[];
}

/** Where a machine of the fleet goes: the node, or why nowhere. Three nodes: the last one has most memory. */
export function placed(fields: Json, situation: Situation = {}): string {
  const { beside = {}, nodes = [], clusterSpec = {}, there = {}, preferred = [] } = situation;
  const residents = Object.entries(beside).map(([node, other]): PlacedMachine => ({
    machine: FleetMachine.parse({ id: 'other', ...other }),
    node,
    planned: true,
    guest: undefined,
  }));
  const seen = cluster({ nodes: NODES, ...there });
  const choice = placeFor(
    FleetMachine.parse({ id: 'web', ...fields }),
    { guests: [] },
    {
      cluster: seen,
      clusterSpec: { name: 'lab', ...clusterSpec },
      nodes,
      preferred,
      others: byNode(residents),
      guests: byNode(seen.guests),
    },
  );
  return 'why' in choice ? choice.detail : choice.node;
}

/** Where a machine goes with each of these. */
export const places = (situation: Situation, ...fields: Json[]): Proof => ({
  differ: () => fields.map(each => placed(each, situation)),
});

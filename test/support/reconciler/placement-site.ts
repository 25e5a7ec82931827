import type * as z from 'zod';
import type { ListedGuest, ObservedCluster, ObservedNode } from '../../../reconciler/observed';
import {
  byNode,
  type PlacedMachine,
  type PlacementFacts,
} from '../../../reconciler/placement/placement-facts';
import { FleetMachine } from '../../../spec';
import { cluster } from './observed';

export type Fields = Partial<z.input<typeof FleetMachine>>;

export const GiB = 2 ** 30;
/** A machine named web of a fleet. */
export const wanted = (fields: Fields = {}) => FleetMachine.parse({ id: 'web', ...fields });

/** A storage of a node, not shared. */
export const storage = (name: string, fields: object = {}) => ({
  name,
  type: 'dir',
  content: ['images', 'iso'],
  shared: false,
  active: true,
  available: 100 * GiB,
  ...fields,
});

/** A node with one bridge and one storage. */
export function node(name: string, fields: Partial<ObservedNode> = {}): ObservedNode {
  const [known] = cluster().nodes;
  return { ...known!, name, bridges: ['vmbr0'], storages: [storage('local')], ...fields };
}

/** A guest that runs, of nobody in the fleet. */
export function listed(vmid: number, at: string, fields: Partial<ListedGuest> = {}): ListedGuest {
  const unmanaged = { lock: undefined, pool: undefined, haManaged: false };
  return {
    ...{ vmid, type: 'qemu', node: at, name: `g${vmid}`, tags: [], template: false, power: 'running' },
    ...{ memory: GiB, ...unmanaged, ...fields },
  };
}

/** All that placement looks at. */
export function site(
  nodes: ObservedNode[],
  fields: Omit<Partial<PlacementFacts>, 'residents' | 'guests'> & {
    residents?: PlacedMachine[];
    guests?: ListedGuest[];
  } = {},
): PlacementFacts {
  const { guests = [], residents = [], ...rest } = fields;
  const seen: ObservedCluster = cluster({ nodes, guests });
  const unsaid = { clusterSpec: { name: 'lab' }, nodes: [], preferred: [] };
  return { ...unsaid, cluster: seen, others: byNode(residents), guests: byNode(guests), ...rest };
}

/** A machine of the fleet that is to go to a node. */
export const resident = (fields: Fields, at: string): PlacedMachine => ({
  machine: wanted({ id: 'other', ...fields }),
  node: at,
  planned: true,
  guest: undefined,
});

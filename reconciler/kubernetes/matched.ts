import type { MachineSpec } from '../../spec';
import type { Judged } from './resources/judge';
import type { DeletedMachine, ResourcePlan } from './resources/plan-of-resources';
import { isNamedBy, referencesOf } from './resources/references';
import { BOUND_CLUSTER, type Resource } from './resources/resource';

interface AskedFor {
  owner: string;
  machines: { id: string }[];
}

/** What a reading found, as the daemon's words are matched with resources. */
export interface Matched {
  /** The resource of each machine that is worked on, as it was when its spec was read. Of earlier readings too: an attempt may end after the next one. */
  bySpec: WeakMap<MachineSpec, { resource: Resource; cluster: string }>;
  /** By owner and id. */
  byMachine: ReadonlyMap<string, Resource>;
  /** By uid of the machine. */
  snapshots: ReadonlyMap<string, Resource[]>;
  deleted: readonly DeletedMachine[];
  /** Machines that are asked for and not worked on, by cluster. */
  also: ReadonlyMap<string, AskedFor[]>;
  ownerOf: (deleted: DeletedMachine) => string;
  /** The name by which marks know this Kubernetes. */
  source: string;
  clusters: readonly string[];
  /** The resource of each cluster, by name. */
  byCluster: ReadonlyMap<string, Resource>;
}

export const NOTHING_MATCHED: Matched = {
  bySpec: new WeakMap(),
  byMachine: new Map(),
  snapshots: new Map(),
  deleted: [],
  also: new Map(),
  ownerOf: () => '',
  source: '',
  clusters: [],
  byCluster: new Map(),
};

interface Reading {
  plan: ResourcePlan;
  judged: Judged;
  working: ResourcePlan['working'];
  /** The first part of all owners. */
  owner: string;
  source: string;
  bySpec: Matched['bySpec'];
}

/** What a reading found; what is worked on is added to `bySpec`. */
export function matchedOf(
  resources: readonly Resource[],
  { plan, judged, working, owner, source, bySpec }: Reading,
): Matched {
  const ownerIn = (cluster: string, namespace: string): string => `${owner}/${cluster}/${namespace}`;
  const ownerOf = ({ cluster, resource }: DeletedMachine): string => ownerIn(cluster, resource.namespace);
  const { deleted, faults } = plan;
  const byMachine = new Map<string, Resource>();
  for (const { resource, spec, state } of working) {
    bySpec.set(spec, { resource, cluster: state.cluster.name });
    byMachine.set(machineKey(state.owner, spec.id), resource);
  }
  for (const each of deleted) byMachine.set(machineKey(ownerOf(each), each.resource.name), each.resource);
  const also = new Map<string, AskedFor[]>();
  for (const resource of resources) {
    const bound = resource.annotations[BOUND_CLUSTER];
    if (typeof bound !== 'string' || !(resource.isBeingDeleted || faults.has(resource.uid))) continue;
    const asked = { owner: ownerIn(bound, resource.namespace), machines: [{ id: resource.name }] };
    also.set(bound, [...(also.get(bound) ?? []), asked]);
  }
  const clusters = [...new Set(judged.states.map(({ cluster }) => cluster.name))];
  const snapshots = snapshotsIn(resources, working);
  return {
    bySpec,
    byMachine,
    snapshots,
    deleted,
    also,
    ownerOf,
    source,
    clusters,
    byCluster: judged.clusters,
  };
}

function snapshotsIn(
  resources: readonly Resource[],
  machines: ResourcePlan['working'],
): Map<string, Resource[]> {
  const found = new Map<string, Resource[]>();
  for (const snapshot of resources.filter(({ kind }) => kind.kind === 'VMSnapshot')) {
    const references = referencesOf(snapshot);
    const machine = machines.find(({ resource }) => references.some(each => isNamedBy(each, resource)));
    const { uid } = machine?.resource ?? {};
    if (uid !== undefined) found.set(uid, [...(found.get(uid) ?? []), snapshot]);
  }
  return found;
}

export function machineKey(owner: string, machine: string): string {
  return `${owner}\n${machine}`;
}

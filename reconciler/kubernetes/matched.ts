import type { MachineSpec } from '../../spec';
import type { Judged } from './resources/judge';
import type { DeletedMachine, ResourcePlan } from './resources/plan-of-resources';
import { boundTo } from './resources/binding';
import { clusterOf, isNamedBy, referencesOf } from './resources/references';
import { formerIdsOf, type Resource } from './resources/resource';

interface AskedFor {
  owner: string;
  machines: { id: string; formerIds: string[] }[];
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
  /** Machines that nothing is wrong with, worked on or not, by cluster. */
  right: ReadonlyMap<string, Resource[]>;
  /** Machines that are asked for and not worked on, by cluster: their guests are no orphans. */
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
  right: new Map(),
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
  const { deleted } = plan;
  const byMachine = new Map<string, Resource>();
  for (const { resource, spec, state } of working) {
    bySpec.set(spec, { resource, cluster: state.cluster.name });
    byMachine.set(machineKey(state.owner, spec.id), resource);
  }
  for (const each of deleted) byMachine.set(machineKey(ownerOf(each), each.resource.name), each.resource);
  const clusters = [...new Set(judged.states.map(({ cluster }) => cluster.name))];
  const also = alsoAskedIn(resources, { judged, working, ownerIn, clusters });
  const snapshots = snapshotsIn(resources, working);
  return {
    bySpec,
    byMachine,
    snapshots,
    deleted,
    right: rightIn(plan, judged),
    also,
    ownerOf,
    source,
    clusters,
    byCluster: judged.clusters,
  };
}

function rightIn({ faults }: ResourcePlan, { machines }: Judged): Map<string, Resource[]> {
  const right = new Map<string, Resource[]>();
  for (const { resource, state } of machines) {
    if (resource.isBeingDeleted || faults.has(resource.uid)) continue;
    const { name } = state.cluster;
    right.set(name, [...(right.get(name) ?? []), resource]);
  }
  return right;
}

/** One that is not worked on, for whatever reason, may have a guest all the same: of files, or of an older version. */
function alsoAskedIn(
  resources: readonly Resource[],
  {
    judged,
    working,
    ownerIn,
    clusters,
  }: Pick<Reading, 'judged' | 'working'> & {
    ownerIn: (cluster: string, namespace: string) => string;
    clusters: readonly string[];
  },
): Map<string, AskedFor[]> {
  const also = new Map<string, AskedFor[]>();
  const isWorkedOn = new Set(working.map(({ resource }) => resource.uid));
  const judgedAs = new Map(judged.machines.map(({ resource, state }) => [resource.uid, state.cluster.name]));
  for (const resource of resources) {
    if (resource.kind.role !== 'machine' || isWorkedOn.has(resource.uid)) continue;
    const { uid, name: id, namespace } = resource;
    const cluster = boundTo(resource) ?? judgedAs.get(uid) ?? clusterOf(resource);
    // where nothing says which one, it may be in any
    for (const each of cluster === undefined ? clusters : [cluster]) {
      const asked = { owner: ownerIn(each, namespace), machines: [{ id, formerIds: formerIdsOf(resource) }] };
      also.set(each, [...(also.get(each) ?? []), asked]);
    }
  }
  return also;
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

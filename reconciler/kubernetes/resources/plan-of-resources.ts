import type { DesiredState } from '../../../spec';
import { mayUse } from '../../manifests';
import type { SourcedState } from '../../run/wanted';
import type { ProxmoxIdentity } from '../../run/proxmox-identity';
import { bindingFault, boundProxmox, boundTo, isBound, otherProxmox, type ProxmoxOf } from './binding';
import type { Judged, Fault, JudgedMachine } from './judge';
import { nodeNameOf } from './references';
import {
  CLUSTER_FINALIZER,
  formerIdsOf,
  isPaused,
  MACHINE_FINALIZER,
  modeOf,
  PAUSE,
  policyOf,
  titleOf,
  type Resource,
} from './resource';

/** A machine whose resource is being deleted, and which is not let go of yet. */
export interface DeletedMachine {
  resource: Resource;
  cluster: string;
  proxmox: ProxmoxIdentity | undefined;
  retains: boolean;
  /** Why nothing is done about it now, and what to do; undefined: it may begin. */
  why: string | undefined;
}

/** A machine that is worked on as soon as it is held. `proxmox`: where, and nowhere else; undefined: it is only read. */
type Working = JudgedMachine & { isHeld: boolean; proxmox: ProxmoxIdentity | undefined };

/** What is done about all resources. */
export interface ResourcePlan {
  working: Working[];
  deleted: DeletedMachine[];
  faults: ReadonlyMap<string, Fault>;
  /** Clusters that machines are bound to and that nothing holds yet. */
  toKeep: Resource[];
  /** Clusters that are deleted and that no machine is bound to any more. */
  toLetGo: Resource[];
}

/** Says what is done about each resource. Pure. */
export function planOf(resources: readonly Resource[], judged: Judged, proxmoxOf: ProxmoxOf): ResourcePlan {
  const faults = new Map(judged.faults);
  const machines = resources.filter(({ kind }) => kind.role === 'machine');
  const clusters = resources.filter(({ kind }) => kind.role === 'cluster');
  const working = judged.machines.flatMap(each => {
    if (each.resource.isBeingDeleted) return [];
    const now = proxmoxOf(each.state.cluster);
    const fault = bindingFault(each, judged.clusters, now);
    if (fault === undefined) return workOn(each, now);
    faults.set(each.resource.uid, fault);
    return [];
  });
  const deleted = machines
    .filter(awaitsDeletion)
    .map(resource => deletedMachineOf(resource, { judged, all: machines, proxmoxOf }));
  const held = machines.filter(({ finalizers }) => finalizers.includes(MACHINE_FINALIZER));
  const needs = [
    ...working.flatMap(({ resource: { namespace }, spec, state }) =>
      isWritten(spec) ? [{ namespace, name: state.cluster.name }] : [],
    ),
    ...held.map(each => ({ namespace: each.namespace, name: boundTo(each) })),
  ];
  const isNeeded = (cluster: Resource): boolean =>
    needs.some(({ name, namespace }) => name === cluster.name && mayUse(namespace, cluster, judged.apart));
  const counts = (cluster: Resource): boolean => judged.clusters.get(cluster.name)?.uid === cluster.uid;
  return {
    ...{ working, deleted, faults },
    toKeep: clusters.filter(each => counts(each) && isNeeded(each) && !each.isBeingDeleted && !isKept(each)),
    toLetGo: clusters.filter(each => each.isBeingDeleted && isKept(each) && !isNeeded(each)),
  };
}

/** Before it is bound, somebody has to ask which Proxmox that is. */
function workOn(machine: JudgedMachine, now: ProxmoxIdentity | undefined): Working[] {
  if (isHeld(machine)) return [{ ...machine, isHeld: true, proxmox: boundProxmox(machine.resource) }];
  const proxmox = boundProxmox(machine.resource) ?? now;
  return proxmox === undefined ? [] : [{ ...machine, isHeld: false, proxmox }];
}

/** The desired states with no more machines than are worked on. */
export function statesOf(
  judged: Judged,
  working: ResourcePlan['working'],
): (DesiredState & Pick<SourcedState, 'boundTo'>)[] {
  const bySpec = new Map(working.map(({ spec, proxmox }) => [spec, proxmox]));
  return judged.states.map(state => {
    const machines = state.machines.filter(spec => bySpec.has(spec));
    const bound = machines.flatMap(spec => {
      const proxmox = bySpec.get(spec);
      return proxmox === undefined ? [] : [[spec.id, proxmox] as const];
    });
    const { snapshots, ...rest } = state;
    const kept = snapshots?.filter(({ machine }) => machines.some(({ id }) => id === machine)) ?? [];
    return { ...rest, machines, boundTo: new Map(bound), ...(kept.length > 0 && { snapshots: kept }) };
  });
}

function isHeld({ resource, spec }: JudgedMachine): boolean {
  return !isWritten(spec) || isBound(resource);
}

function isWritten({ mode }: JudgedMachine['spec']): boolean {
  return mode === undefined || mode === 'reconcile';
}

function isKept({ finalizers }: Resource): boolean {
  return finalizers.includes(CLUSTER_FINALIZER);
}

function awaitsDeletion({ isBeingDeleted, finalizers }: Resource): boolean {
  return isBeingDeleted && finalizers.includes(MACHINE_FINALIZER);
}

function deletedMachineOf(
  resource: Resource,
  { judged, all, proxmoxOf }: { judged: Judged; all: readonly Resource[]; proxmoxOf: ProxmoxOf },
): DeletedMachine {
  const { machines, states, clusters, apart } = judged;
  const known = machines.find(each => each.resource.uid === resource.uid);
  const cluster = boundTo(resource) ?? known?.state.cluster.name ?? '';
  const policy = policyOf(resource);
  const retains = policy === 'Retain';
  const said = { resource, cluster, retains, proxmox: boundProxmox(resource) };
  const mode = modeOf(resource);
  if (policy === undefined)
    return {
      ...said,
      why: 'spec.deletionPolicy is not valid; allowed: "Delete", "Retain". Use one of them.',
    };
  if (mode !== 'reconcile' && !retains) return { ...said, why: notWritten(resource, mode) };
  const other = otherOf(resource, cluster, all);
  if (other !== undefined) return { ...said, why: heldByOther(resource, other) };
  const there = clusters.get(cluster);
  // one of this name that is out of reach is another one
  const isThere = there !== undefined && mayUse(resource.namespace, there, apart);
  const state = states.find(each => each.cluster.name === cluster);
  if (!isThere || state === undefined) return { ...said, why: lostCluster(cluster, resource) };
  return { ...said, why: otherProxmox(resource, cluster, proxmoxOf(state.cluster)) };
}

function notWritten(resource: Resource, mode: string): string {
  const [what, remedy] = isPaused(resource)
    ? [`the annotation ${PAUSE} is set`, 'Remove it']
    : [`spec.mode is ${mode}`, 'Set it to reconcile'];
  return `${what}: nothing is written to it. ${remedy} to destroy the guest, or set spec.deletionPolicy to Retain to let go of it.`;
}

/** Another resource that the guest of one is also the guest of. One that goes too, with the guest, is none. */
export function otherOf(
  { uid, name, namespace }: Resource,
  cluster: string,
  machines: readonly Resource[],
): Resource | undefined {
  return machines.find(other => {
    if (other.kind.role !== 'machine' || other.uid === uid || other.namespace !== namespace) return false;
    if ((boundTo(other) ?? cluster) !== cluster) return false;
    const isGoing = other.isBeingDeleted && (!awaitsDeletion(other) || policyOf(other) === 'Delete');
    return !isGoing && (other.name === name || formerIdsOf(other).includes(name));
  });
}

/** Why a guest stays that another resource stands for, too, and what to do. */
export function heldByOther(resource: Resource, other: Resource): string {
  const [own, its] = [titleOf(resource), titleOf(other)];
  return `${its} stands for the same guest, which is not touched. To destroy the guest, delete ${its} too; to leave it to ${its}, remove the finalizer ${MACHINE_FINALIZER} of ${own} by hand.`;
}

function lostCluster(cluster: string, { name }: Resource): string {
  const what =
    cluster === ''
      ? 'nothing says which cluster it is in'
      : `cluster ${cluster} is not there, or cannot be used`;
  return `${what}: its guest is not touched. Apply the ProxmoxCluster or Provider and its Secret again; or, to leave the guest as it is, remove the finalizer ${MACHINE_FINALIZER} of ${name} by hand.`;
}

/** The resource of a node of a cluster, by its name in Proxmox. */
export function nodeResources(
  resources: readonly Resource[],
  cluster: Resource,
  isOnly: boolean,
): Map<string, Resource> {
  const nodes = resources.filter(
    ({ kind, namespace }) => kind.role === 'node' && namespace === cluster.namespace,
  );
  return new Map(
    nodes.flatMap(resource => {
      const named = nodeNameOf(resource);
      const isOf = named.cluster === cluster.name || (named.cluster === undefined && isOnly);
      return isOf ? [[named.node, resource] as const] : [];
    }),
  );
}

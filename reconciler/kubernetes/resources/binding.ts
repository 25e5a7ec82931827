import type { ClusterSpec } from '../../../spec';
import { isKnowable, isSameProxmox, proxmoxText, type ProxmoxIdentity } from '../../run/proxmox-identity';
import type { Fault, Judged, JudgedMachine } from './judge';
import { BOUND_CLUSTER, BOUND_PROXMOX, MACHINE_FINALIZER, titleOf, type Resource } from './resource';

/** Which Proxmox answers at the address of a cluster; undefined: nobody has asked it yet. */
export type ProxmoxOf = (cluster: ClusterSpec) => ProxmoxIdentity | undefined;

/** The cluster that a machine was first brought to. */
export function boundTo({ annotations }: Resource): string | undefined {
  return textOf(annotations[BOUND_CLUSTER]);
}

/** The Proxmox that it was first brought to. */
export function boundProxmox({ annotations }: Resource): ProxmoxIdentity | undefined {
  return textOf(annotations[BOUND_PROXMOX]);
}

function textOf(bound: unknown): string | undefined {
  return typeof bound === 'string' && bound !== '' ? bound : undefined;
}

/** Whether all stands in the resource that is written before anything is made for it. */
export function isBound(resource: Resource): boolean {
  const { finalizers } = resource;
  const isHeld = finalizers.includes(MACHINE_FINALIZER);
  return isHeld && boundTo(resource) !== undefined && boundProxmox(resource) !== undefined;
}

/** A machine stays where it was made: elsewhere it would be made a second time, and the first left behind. */
export function bindingFault(
  { resource, state }: JudgedMachine,
  clusters: Judged['clusters'],
  now: ProxmoxIdentity | undefined,
): Fault | undefined {
  const bound = boundTo(resource);
  const { name } = state.cluster;
  if (bound !== undefined && bound !== name)
    return {
      reason: 'InvalidSpec',
      message: `it is a machine of cluster ${bound}, and is now to be one of ${name}. A machine stays in its cluster: name ${bound} again, or delete this resource and make it anew.`,
    };
  const there = clusters.get(name);
  if (bound === undefined && there?.isBeingDeleted === true)
    return {
      reason: 'ClusterUnusable',
      message: `${titleOf(there)} is being deleted: nothing new is made there. Name another cluster.`,
    };
  const message = otherProxmox(resource, name, now);
  return message === undefined ? undefined : { reason: 'OtherProxmox', message };
}

/** Why nothing is done in the Proxmox that answers now; undefined: it is the right one, or nobody has asked it yet. */
export function otherProxmox(
  resource: Resource,
  cluster: string,
  now: ProxmoxIdentity | undefined,
): string | undefined {
  if (now === undefined) return undefined;
  const bound = boundProxmox(resource);
  if (bound === undefined)
    return isKnowable(now)
      ? undefined
      : `cluster ${cluster} tells neither its name nor its root certificate, so nothing tells it from another Proxmox. Nothing is made there. Let the user read /nodes/NODE/certificates/info.`;
  if (isSameProxmox(bound, now)) return undefined;
  const { kind, name, namespace } = resource;
  const unbind = `kubectl annotate ${kind.plural}.${kind.group} ${name} -n ${namespace} ${BOUND_PROXMOX}-`;
  return `it is a machine of ${proxmoxText(bound)}, and cluster ${cluster} leads to ${proxmoxText(now)} now. Nothing is written for it in either. Set the address of ${cluster} back. Or, where this is meant, because its guest is there now or the root certificate is a new one: ${unbind}. Then it is a machine of that Proxmox, and what is in the other one stays.`;
}

import { canonical, isRecord, valueAt } from '../../../spec';
import type { Json } from '../api/client';
import { apiVersionOf, type ResourceKind } from '../kinds';

/** Holds a resource until its guest is gone, or let go of. */
export const MACHINE_FINALIZER = 'pve-reconciler/guest';
/** Holds a cluster until no machine needs it to be destroyed. */
export const CLUSTER_FINALIZER = 'pve-reconciler/machines';
/** The cluster that a machine was first brought to: it stays, whatever other documents say later. */
export const BOUND_CLUSTER = 'pve-reconciler/cluster';

/** The Proxmox that it was first brought to: an address may lead to another one later. */
export const BOUND_PROXMOX = 'pve-reconciler/proxmox';

/** Pauses a machine, as `spec.mode: paused` does, unless it says false. Whoever sets it need not write the document. */
export const PAUSE = 'pve-reconciler/pause';

/** VirtRigaud's word for Retain. */
const ORPHAN_ON_DELETE = 'virtrigaud.io/orphan-on-delete';

/** A resource as the API server gave it. */
export interface Resource {
  kind: ResourceKind;
  uid: string;
  name: string;
  namespace: string;
  generation: number;
  version: string;
  createdAt: string;
  isBeingDeleted: boolean;
  finalizers: readonly string[];
  annotations: Json;
  json: Json;
}

/** Undefined: it lacks what each has. */
export function resourceOf(kind: ResourceKind, json: Json): Resource | undefined {
  const { metadata } = json;
  if (!isRecord(metadata)) return undefined;
  const { uid, name, namespace, generation, resourceVersion, creationTimestamp } = metadata;
  if (typeof uid !== 'string' || typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const { finalizers, annotations } = metadata;
  return {
    ...{ kind, uid, name, namespace, json },
    generation: Number(generation ?? 0),
    version: String(resourceVersion),
    createdAt: String(creationTimestamp),
    isBeingDeleted: metadata['deletionTimestamp'] !== undefined,
    finalizers: Array.isArray(finalizers) ? finalizers.map(String) : [],
    annotations: isRecord(annotations) ? annotations : {},
  };
}

/** Where it stands in the API. */
export function pathOf({ kind, namespace, name }: Pick<Resource, 'kind' | 'namespace' | 'name'>): string {
  return `${listPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** Where all of a kind stand, of one namespace or of all. */
export function listPath(kind: ResourceKind, namespace?: string): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/apis/${apiVersionOf(kind)}${within}/${kind.plural}`;
}

/** How people call it. */
export function titleOf({ kind, namespace, name }: Pick<Resource, 'kind' | 'namespace' | 'name'>): string {
  return `${kind.kind} ${namespace}/${name}`;
}

/** What of a resource says what is wanted, as text. What we write ourselves into its status is not in it. */
export function wantedText({ json }: Resource): string {
  const metadata = isRecord(json['metadata']) ? json['metadata'] : {};
  const { uid, labels, annotations, finalizers, deletionTimestamp } = metadata;
  return canonical({ uid, labels, annotations, finalizers, deletionTimestamp, spec: json['spec'] });
}

/** What a resource says that becomes of its guest; undefined: neither of both. */
export function policyOf({
  json,
  annotations,
}: Pick<Resource, 'json' | 'annotations'>): 'Delete' | 'Retain' | undefined {
  if (annotations[ORPHAN_ON_DELETE] === 'true') return 'Retain';
  const policy = isRecord(json['spec']) ? (json['spec']['deletionPolicy'] ?? 'Delete') : 'Delete';
  return policy === 'Delete' || policy === 'Retain' ? policy : undefined;
}

export function isPaused({ annotations }: Pick<Resource, 'annotations'>): boolean {
  const said = annotations[PAUSE];
  return said !== undefined && said !== 'false';
}

/** The program that set the annotation which pauses a resource, as Kubernetes keeps it; undefined: nobody knows. */
export function pausedBy({ json }: Pick<Resource, 'json'>): string | undefined {
  const managers = valueAt(json, ['metadata', 'managedFields']);
  const sets = (each: unknown): boolean =>
    valueAt(each, ['fieldsV1', 'f:metadata', 'f:annotations', `f:${PAUSE}`]) !== undefined;
  const found: unknown = (Array.isArray(managers) ? managers : []).find(sets);
  const manager = valueAt(found, ['manager']);
  return typeof manager === 'string' ? manager : undefined;
}

/** What is done about a machine: the word of its spec, or paused by the annotation. */
export function modeOf(resource: Pick<Resource, 'json' | 'annotations'>): string {
  return isPaused(resource) ? 'paused' : String(valueAt(resource.json, ['spec', 'mode']) ?? 'reconcile');
}

/** The reason of its condition Ready. */
export function readyReason({ json }: Pick<Resource, 'json'>): unknown {
  const conditions = valueAt(json, ['status', 'conditions']);
  const ready: unknown = (Array.isArray(conditions) ? conditions : []).find(
    each => valueAt(each, ['type']) === 'Ready',
  );
  return valueAt(ready, ['reason']);
}

export function formerIdsOf({ json }: Pick<Resource, 'json'>): string[] {
  const formerIds = valueAt(json, ['spec', 'formerIds']);
  return Array.isArray(formerIds) ? formerIds.filter(id => typeof id === 'string') : [];
}

import { isRecord, valueAt, type Path } from '../../../spec';
import { mayUse, type Apart } from '../../manifests';
import type { Resource } from './resource';

/** A resource that another one names, and where. */
export interface Reference {
  kinds: readonly string[];
  namespace: string;
  name: string;
  path: Path;
}

const MACHINES = ['Machine', 'ProxmoxVirtualMachine', 'VirtualMachine', 'VMClone'];
const CLUSTERS = ['ProxmoxCluster', 'Provider'];
const LABEL = 'cluster.vitistack.io/cluster-name';

const BY_OBJECT: readonly [path: Path, kinds: readonly string[]][] = [
  [['spec', 'classRef'], ['VMClass']],
  [['spec', 'imageRef'], ['VMImage']],
  [['spec', 'placementRef'], ['VMPlacementPolicy']],
  [['spec', 'sourceVMRef'], MACHINES],
  [['spec', 'vmRef'], MACHINES],
];
const BY_NAME: readonly [path: Path, kinds: readonly string[]][] = [
  [['spec', 'image', 'machine'], MACHINES],
  [['spec', 'cluster'], CLUSTERS],
  [['spec', 'providerRef', 'name'], CLUSTERS],
  [['metadata', 'labels', LABEL], CLUSTERS],
];

/** What a resource names. */
export function referencesOf({ json, namespace }: Pick<Resource, 'json' | 'namespace'>): Reference[] {
  const byObject = BY_OBJECT.flatMap(([path, kinds]) => {
    const said = valueAt(json, path);
    if (!isRecord(said) || typeof said['name'] !== 'string') return [];
    const other = said['namespace'];
    const within = typeof other === 'string' ? other : namespace;
    return [{ kinds, namespace: within, name: said['name'], path }];
  });
  const byName = BY_NAME.flatMap(([path, kinds]) => {
    const name = valueAt(json, path);
    if (typeof name !== 'string') return [];
    return [{ kinds, namespace, name, path }];
  });
  return [...byObject, ...byName];
}

/** The cluster that it names. */
export function clusterOf(resource: Resource): string | undefined {
  return referencesOf(resource).find(({ kinds }) => kinds === CLUSTERS)?.name;
}

/** Whether it names a cluster; else it goes to the only one, or to the default. */
export function namesCluster(resource: Resource): boolean {
  return clusterOf(resource) !== undefined;
}

/** `apart`: where clusters stand that all may use. */
export function isNamedBy(reference: Reference, other: Resource, apart: Apart = {}): boolean {
  const { kind, namespace, name } = other;
  if (!reference.kinds.includes(kind.kind) || reference.name !== name) return false;
  if (kind.role === 'cluster') return mayUse(reference.namespace, other, apart);
  return reference.namespace === namespace;
}

/** The node of Proxmox that a resource is about, and its cluster where it names one. */
export function nodeNameOf(resource: Resource): { node: string; cluster: string | undefined } {
  const said = valueAt(resource.json, ['spec', 'nodeName']);
  const cluster = clusterOf(resource);
  return { node: typeof said === 'string' ? said : resource.name, cluster };
}

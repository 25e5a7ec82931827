import { valueAt } from '../../spec';
import { nameIn, type Catalog } from './read/catalog';
import { clusterNamed, type Cluster } from './clusters';
import type { ManifestSurroundings } from './surroundings';
import type { Group, SpecPartJson } from './groups';
import { machineOf, type Context } from './machine-of-manifest';
import { draftOf } from './draft-of';
import type { ManifestOfKind } from './read/manifest-head';

interface GroupingContext extends Context {
  given: ManifestSurroundings;
}

/** What each namespace wants of each cluster. A cluster of which nobody wants anything has a group too. */
export function groupsOf(
  catalog: Catalog,
  clusters: ReadonlyMap<string, Cluster>,
  around: GroupingContext,
): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (clusterName: string, namespace: string): Group => {
    const owner = `${around.given.owner}/${clusterName}/${namespace}`;
    const lists = { nodes: [], machines: [], snapshots: [] };
    const cluster = clusters.get(clusterName);
    const group = groups.get(owner) ?? { owner, namespace, clusterName, cluster, ...lists };
    groups.set(owner, group);
    return group;
  };
  const placed = new Map<ManifestOfKind, Group>();
  for (const known of catalog.all.filter(isMachine)) {
    const name = clusterFor(known, catalog, around);
    const machine = machineOf(known, around);
    if (name === undefined) continue;
    const group = groupOf(name, known.manifest.namespace);
    group.machines.push(machine);
    placed.set(known, group);
  }
  for (const { manifest } of clusters.values()) {
    if (![...groups.values()].some(({ clusterName }) => clusterName === manifest.name))
      groupOf(manifest.name, manifest.namespace);
  }
  addNodes([...groups.values()], catalog, around);
  addSnapshots(placed, catalog, around);
  return [...groups.values()];
}

function isMachine({ kind: { role } }: ManifestOfKind): boolean {
  return role === 'machine' || role === 'clone';
}

/** A clone that names no cluster is made where its source is. */
function clusterFor(known: ManifestOfKind, catalog: Catalog, around: GroupingContext): string | undefined {
  const { manifest, kind } = known;
  const name = valueAt(manifest.spec, ['sourceVMRef', 'name']);
  const source =
    kind.role === 'clone' && typeof name === 'string'
      ? catalog.find('machine', manifest.namespace, name)
      : undefined;
  const isOther = source !== undefined && source !== manifest;
  return clusterNamed(manifest, { ...around, catalog, source: isOther ? source : undefined });
}

/** What is said of nodes holds for all namespaces: so it stands where their cluster does, if that matters. */
function addNodes(groups: readonly Group[], catalog: Catalog, around: GroupingContext): void {
  for (const known of catalog.all.filter(({ kind }) => kind.role === 'node')) {
    const { apart, ...given } = around.given;
    const own = { ...given, ...(apart !== undefined && { apart: {} }) };
    const clusterName = clusterNamed(known.manifest, { ...around, catalog, given: own });
    const part = draftOf(known, around, 'name');
    const { name, ...json } = part.draft.json;
    const labels = valueAt(known.manifest.json, ['metadata', 'labels']);
    if (json['labels'] === undefined && labels !== undefined) json['labels'] = labels;
    if (json['nodeName'] === undefined) json['nodeName'] = name;
    groups
      .filter(group => group.clusterName === clusterName)
      .forEach(group => group.nodes.push({ ...part, json }));
  }
}

function addSnapshots(
  placed: ReadonlyMap<ManifestOfKind, Group>,
  catalog: Catalog,
  around: GroupingContext,
): void {
  for (const known of catalog.all.filter(({ kind }) => kind.role === 'snapshot')) {
    const { manifest } = known;
    const path = ['spec', 'vmRef'];
    const part = draftOf(known, around);
    const named = nameIn(manifest, path, manifest.spec['vmRef'], around.problems);
    if (named === undefined) continue;
    const group = [...placed].find(
      ([{ manifest: machine }]) => machine.name === named.name && machine.namespace === named.namespace,
    )?.[1];
    part.draft.set(['machine'], named.name, [...path, 'name']);
    const written: SpecPartJson = { ...part, json: part.draft.json };
    if (group !== undefined) group.snapshots.push(written);
    else catalog.dangling(manifest, [...path, 'name'], { ...named, role: 'machine' });
  }
}

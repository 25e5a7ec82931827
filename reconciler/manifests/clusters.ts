import { valueAt } from '../../spec';
import { nameIn, type Catalog } from './read/catalog';
import { clusterVariables } from './secrets/cluster-variables';
import { mayUse, type ManifestSurroundings } from './surroundings';
import type { Manifest } from './read/manifest';
import type { Problems } from './read/problems';
import { draftOf, type SpecPart } from './draft-of';
import type { Telling } from './read/rows';
import type { Secrets } from './secrets/secrets';
import type { Variables } from './secrets/give-variable';

/** A cluster that a manifest describes, and what it says in place of the environment. */
export interface Cluster extends SpecPart {
  variables: Variables;
}

/** The clusters of a run, by name. */
export function clustersOf(
  catalog: Catalog,
  secrets: Secrets,
  given: ManifestSurroundings,
  reading: Telling,
): Map<string, Cluster> {
  const known = catalog.all.filter(({ kind }) => kind.role === 'cluster' || kind.role === 'provider');
  const clusters = known.map((each): [name: string, Cluster] => {
    const { manifest, kind } = each;
    const part = draftOf(each, reading);
    if (kind.role === 'provider') checkType(manifest, reading);
    const variables = clusterVariables({ ...reading, manifest }, part.draft, secrets, given);
    return [manifest.name, { ...part, variables }];
  });
  return new Map(clusters);
}

function checkType(manifest: Manifest, { problems }: Telling): void {
  const { type } = manifest.spec;
  if (type === 'proxmox') return;
  const remedy = 'Only providers of Proxmox are read here.';
  problems.add(manifest, { path: ['spec', 'type'], shown: true, allowed: '"proxmox"', remedy });
}

interface Context extends Telling {
  catalog: Catalog;
  given: ManifestSurroundings;
  /** What the machine is made from: it is where that is, when it names no cluster. */
  source?: Manifest | undefined;
}

const LABEL = 'cluster.vitistack.io/cluster-name';

/** The cluster that a manifest names, in one of its ways; undefined where that is wrong, which is reported. */
export function clusterNamed(
  manifest: Manifest,
  { catalog, given, problems, notes, source }: Context,
): string | undefined {
  const said = namesIn(manifest, problems);
  if (said === undefined) return undefined;
  if (said.length === 0 && source !== undefined)
    return clusterNamed(source, { catalog, given, problems, notes });
  const [first, ...others] = said;
  const other = others.find(({ name }) => name !== first?.name);
  if (other !== undefined) {
    const remedy = 'Name one cluster.';
    problems.add(manifest, {
      path: other.path,
      shown: true,
      reason: `is not what ${first?.path.join('.')} says`,
      remedy,
    });
  }
  const names = namesFor(manifest, catalog, given);
  const name = first?.name ?? given.defaultCluster ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    const remedy = `Add spec.cluster, spec.providerRef or the label ${LABEL}, or set PROXMOX_DEFAULT_CLUSTER.`;
    const allowed = names.join(', ') || 'the name of a cluster';
    problems.add(manifest, { path: ['metadata', 'name'], reason: 'names no cluster', allowed, remedy });
  } else if (given.apart !== undefined && !names.includes(name)) {
    const path = first?.path ?? ['metadata', 'name'];
    const reason = `${JSON.stringify(name)} names no cluster that namespace ${manifest.namespace} may use`;
    problems.add(manifest, { path, reason, allowed: names.join(', ') || 'none', remedy: OUT_OF_REACH });
    return undefined;
  } else if (names.length > 0 && !names.includes(name) && !given.isKnown(name)) {
    catalog.dangling(manifest, first?.path ?? ['metadata', 'name'], { ...manifest, name, role: 'cluster' });
    return undefined;
  }
  return name;
}

const OUT_OF_REACH =
  'Put the cluster into this namespace, or into the one that --cluster-namespace of the daemon names.';

function namesFor(
  { namespace }: Manifest,
  catalog: Catalog,
  { apart }: ManifestSurroundings,
): readonly string[] {
  if (apart === undefined) return catalog.names('cluster', namespace);
  const clusters = catalog.of('cluster', 'provider').filter(each => mayUse(namespace, each, apart));
  // in one order: else a condition would change without a reason
  return clusters.map(({ name }) => name).sort();
}

/** Where a manifest names a cluster. Undefined: something there is no name, which is reported. */
function namesIn(manifest: Manifest, problems: Problems): { path: string[]; name: string }[] | undefined {
  const reference = manifest.spec['providerRef'] ?? undefined;
  const provider = reference && nameIn(manifest, ['spec', 'providerRef'], reference, problems);
  let isRight = reference === undefined || provider !== undefined;
  const said: [string[], unknown][] = [
    [['metadata', 'labels', LABEL], valueAt(manifest.json, ['metadata', 'labels', LABEL])],
    [['spec', 'providerRef', 'name'], provider?.name],
    [['spec', 'cluster'], manifest.spec['cluster']],
  ];
  const names = said.flatMap(([path, name]) => {
    if (name === undefined || name === null) return [];
    if (typeof name === 'string') return [{ path, name }];
    isRight = false;
    const allowed = 'the name of a cluster';
    problems.add(manifest, { path, allowed, remedy: 'Name the cluster.' });
    return [];
  });
  return isRight ? names : undefined;
}

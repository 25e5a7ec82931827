import type { ClusterSpec } from '../../spec';
import { CLUSTER_VARIABLES, hasVariables, type Environment } from './cluster-variables';

/** Where one cluster has no set of its own, and for what counts for all of them. */
export const PLAIN_PREFIX = 'PVE_';

/**
 * The prefix whose variables each cluster reads: its own when any of it is there, else the plain one. Sets are never
 * mixed. With two or more clusters the plain one is not read: a secret must not reach an endpoint it was not meant for.
 */
export function prefixesOf(
  clusters: readonly ClusterSpec[],
  environment: Environment,
  faults: string[],
): string[] {
  const own = clusters.map(ownPrefix);
  faults.push(...collisions(clusters, own));
  const several = new Set(clusters.map(({ name }) => name)).size > 1;
  return clusters.map(({ credentials }, index) => {
    const prefix = own[index] ?? PLAIN_PREFIX;
    const isNamed = credentials?.prefix !== undefined || several;
    return isNamed || hasVariables(prefix, environment) ? prefix : PLAIN_PREFIX;
  });
}

/** `PVE_LAB_1_` for the cluster `lab-1`, unless the cluster names another. */
export function ownPrefix({ name, credentials }: Pick<ClusterSpec, 'name' | 'credentials'>): string {
  return credentials?.prefix ?? `${PLAIN_PREFIX}${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_`;
}

const OF_A_CLUSTER = new RegExp(`^${PLAIN_PREFIX}(?:.*_)?(?:${CLUSTER_VARIABLES.join('|')})(?:_FILE)?$`);
const WHOM_TO_TRUST = new RegExp(`^${PLAIN_PREFIX}.+_(?:CA_BUNDLE|FINGERPRINT)(?:_FILE)?$`);

/** An environment without the sets of all clusters. Whom to trust stays: that gives nobody anything. */
export function withoutClusters(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(
    ([name]) => !OF_A_CLUSTER.test(name) || WHOM_TO_TRUST.test(name),
  );
  return Object.fromEntries(kept);
}

function collisions(clusters: readonly ClusterSpec[], prefixes: readonly string[]): string[] {
  return clusters.flatMap((cluster, index) => {
    const first = prefixes.indexOf(prefixes[index] ?? '');
    const other = clusters[first];
    if (other === undefined || first === index || isSame(other, cluster)) return [];
    const names = `clusters '${other.name}' and '${cluster.name}'`;
    return [
      `${names} both read ${prefixes[index] ?? ''}…: rename one, or give it another credentials.prefix.`,
    ];
  });
}

/** Two documents may speak of one cluster; then they name one endpoint too. */
function isSame(one: ClusterSpec, other: ClusterSpec): boolean {
  const places = ({ endpoint, endpoints }: ClusterSpec): string => [endpoint, ...(endpoints ?? [])].join(' ');
  return one.name === other.name && places(one) === places(other);
}

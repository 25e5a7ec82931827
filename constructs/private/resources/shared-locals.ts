import type { ClusterView } from '../calls/cluster-view';
import {
  entriesName,
  idsName,
  observedName,
  observerName,
  registryName,
  snapshotRegistryName,
} from './names';

/**
 * What all machines of a cluster read, as locals: Terraform works these out once. What stands in each machine it works out
 * for each, with all that it names: the answer of the observer, and every entry of the registry.
 */
export function sharedLocals({
  name,
  members,
  snapshots,
}: Pick<ClusterView, 'name' | 'members' | 'snapshots'>): Record<string, unknown> {
  return {
    locals: {
      [observedName(name)]: `\${data.external.${observerName(name)}.result}`,
      ...entriesOf(
        registryName(name),
        members.map(({ id }) => id),
      ),
      ...entriesOf(
        snapshotRegistryName(name),
        snapshots.map(({ key }) => key),
      ),
    },
  };
}

/** A map, not a set: Terraform makes a set again for each entry of a `for_each`, which takes its time. */
function entriesOf(registry: string, keys: readonly string[]): Record<string, unknown> {
  return {
    [idsName(registry)]: Object.fromEntries(keys.map(key => [key, key])),
    [entriesName(registry)]: `\${null_resource.${registry}}`,
  };
}

/** What the `for_each` of a registry goes over. */
export const idsOf = (registry: string): string => `\${local.${idsName(registry)}}`;

/** An entry of a registry, within an expression. */
export const entryIn = (registry: string, key: string): string => `local.${entriesName(registry)}["${key}"]`;

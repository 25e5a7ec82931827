import type { Apart } from '../../manifests';
import type { Resource } from './resource';

/**
 * The clusters that count, by name. Of two with one name the one that all may use stays, then the elder: the first in
 * `resources`. Nobody takes a name from another by coming later.
 */
export function clustersByName(resources: readonly Resource[], apart: Apart): Map<string, Resource> {
  const clusters = resources.filter(({ kind }) => kind.role === 'cluster');
  const isForAll = ({ namespace }: Resource): boolean => namespace === apart.clusterNamespace;
  const inOrder = [...clusters.filter(isForAll), ...clusters.filter(each => !isForAll(each))];
  // what is set last stays
  return new Map(inOrder.reverse().map(each => [each.name, each]));
}

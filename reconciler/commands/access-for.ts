import type { ClusterSpec } from '../../spec';
import { accessTo, type ClusterAccess } from '../config/config';
import type { Surroundings } from '../input/surroundings';

/** The way to each of several clusters; says aloud what is to be said of it. Sends nothing. */
export function accessFor(
  clusters: readonly ClusterSpec[],
  { environment, reporter }: Surroundings,
): ClusterAccess[] {
  const accesses = accessTo(clusters, environment);
  accesses.flatMap(({ warnings }) => warnings).forEach(warning => reporter.say('warn', warning));
  return accesses;
}

/** The same for one cluster. */
export function accessForOne(cluster: ClusterSpec, around: Surroundings): ClusterAccess {
  const [access] = accessFor([cluster], around);
  if (access === undefined) throw new Error('one cluster was asked for, and none came back');
  return access;
}

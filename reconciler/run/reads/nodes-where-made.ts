import { isInTheMaking } from '../../observe/name-index';
import { sourceCandidates } from '../../placement/source';
import { onlineNodes } from '../../waits/running-tasks';
import type { Run } from '../run';
import type { Wanted } from '../wanted';

/**
 * The nodes whose tasks may make this machine: all, for a run that writes. A run that only reads asks the nodes of its
 * sources, where a clone runs, those that list a guest in the making, and those where the cluster says that something runs.
 * A create from nothing is listed with its lock from its first moment on (behaviour.md §14.2, §14.3).
 */
export async function nodesWhereMade(run: Run, { spec, identity }: Wanted): Promise<readonly string[]> {
  const all = onlineNodes(run.cluster);
  if (!run.onlyReads) return all;
  const { guests } = run.cluster;
  const sources = sourceCandidates(spec, guests, identity.owner);
  const asked = new Set([
    ...('guests' in sources ? sources.guests : []).map(({ node }) => node),
    ...guests.filter(isInTheMaking).map(({ node }) => node),
    ...(await run.clusterTasks.nodesAtWork(all)),
  ]);
  return all.filter(name => asked.has(name));
}

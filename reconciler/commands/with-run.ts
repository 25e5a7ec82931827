import type { ClusterSpec } from '../../spec';
import { accessTo, type ClusterAccess } from '../config/cluster-access';
import { Run } from '../run/run';
import { Shared } from '../run/shared';
import { connect, type Pve } from '../pve';
import type { PlacedTogether } from '../placement/fleet-nodes';
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

/** Tells of each wait for Proxmox on this connection, until what comes back is called. */
export function tellWaits(
  pve: Pve,
  { reporter, signal }: Pick<Surroundings, 'reporter' | 'signal'>,
): () => void {
  return pve.tellWaits(text => reporter.say('info', text), signal);
}

/** Reads a cluster once and works on it. `fleet`: whose new machines are placed together. */
export function withRun<T>(
  access: ClusterAccess,
  around: Surroundings,
  fleet: PlacedTogether | undefined,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return openRun(access, around, fleet, async run => {
    await run.read();
    return work(run);
  });
}

/** Works on the one cluster of a Terraform call, of which nothing is read yet. */
export async function withUnreadRun<T>(
  cluster: ClusterSpec,
  around: Surroundings,
  fleet: PlacedTogether | undefined,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return openRun(accessForOne(cluster, around), around, fleet, work);
}

/** Works with the connection that this process shares, or with one of its own, which is closed whatever comes. */
async function openRun<T>(
  access: ClusterAccess,
  around: Surroundings,
  fleet: PlacedTogether | undefined,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const { reporter, signal, explains = false, onlyReads = false, connections, sent } = around;
  const { report, tellsPercent } = reporter;
  const { pve, cluster, preferredNodes } = access;
  const shared = connections?.sharedOf(access) ?? new Shared(connect(pve, { sent }), cluster);
  const untold = tellWaits(shared.pve, around);
  const run = new Run(shared, { report, signal, fleet, preferredNodes, explains, onlyReads, tellsPercent });
  try {
    return await work(run);
  } finally {
    untold();
    run.close();
    if (connections === undefined) await shared.pve.close();
  }
}

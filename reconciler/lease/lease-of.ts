import type { Sharing } from '../daemon/sharing';
import { InputError } from '../errors';
import type { Options, Surroundings } from '../input/surroundings';
import { NAME, namesHost, refuseUnfit } from '../postgres/address';
import type { Lease } from './lease';

/** By what several hosts take turns: one has all clusters, or each has some of them. */
type LeaseFor = { lease: Lease } | { sharing: Sharing };

/** The lease that the options ask for; undefined: none. Sends nothing. */
export async function leaseOf(around: Surroundings, options: Options): Promise<LeaseFor | undefined> {
  const asked = askedLease(options);
  if (asked === undefined) return undefined;
  const { where, name } = asked;
  if ([...(options.spec ?? []), ...(options.manifests ?? [])].includes('-'))
    throw new InputError(
      '--lease: stdin is read once, and a lease may be taken again. Give a file in place of -.',
    );
  if (where === 'kubernetes') return { lease: await ofKubernetes(around, name) };
  refuseOther(where);
  const { PostgresSession } = await import('./postgres-session.js');
  const session = new PostgresSession(where, name);
  if (options.kubernetes === true) {
    const { PostgresLease } = await import('./postgres-lease.js');
    return { lease: new PostgresLease(session) };
  }
  const { ClusterLocks } = await import('./postgres-cluster-locks.js');
  const { SharedClusters } = await import('./shared-clusters.js');
  return { sharing: new SharedClusters(new ClusterLocks(session), line => around.reporter.tell(line)) };
}

/** Where and by which name the options ask for a lease; undefined: for none. Sends nothing. */
export function askedLease({ lease, leaseName }: Options): { where: string; name: string } | undefined {
  if (lease === undefined) {
    if (leaseName !== undefined)
      throw new InputError('--lease-name means something with --lease only: add it.');
    return undefined;
  }
  const name = leaseName ?? 'pve-reconciler';
  if (!NAME.test(name))
    throw new InputError(
      `--lease-name ${JSON.stringify(name)} is no name: allowed are small letters, digits, '-' and '.', such as pve-reconciler.`,
    );
  return { where: lease, name };
}

async function ofKubernetes({ environment }: Surroundings, name: string): Promise<Lease> {
  const { kubernetesAccess, ownNamespace } = await import('../kubernetes/api/access.js');
  const { KubernetesClient } = await import('../kubernetes/api/client.js');
  const { KubernetesLease } = await import('./kubernetes-lease.js');
  const client = new KubernetesClient(await kubernetesAccess(environment));
  return new KubernetesLease(client, await ownNamespace(environment), name);
}

/** Throws where this is no address of PostgreSQL that a lease may have. */
export function refuseOther(url: string): void {
  if (!namesHost(url))
    throw new InputError(
      `--lease is neither "kubernetes" nor an address of PostgreSQL, such as postgres://pve@db.example.com/pve.`,
    );
  refuseUnfit(url, '--lease', 'a lock');
}

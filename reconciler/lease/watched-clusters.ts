import { connectTo } from '../postgres/connect';
import { failureOf } from '../postgres/failures';
import { POSTGRES_TIMES, refuseUnfitServer } from './postgres-session';
import { lockNumbers, locksQuery, locksValues, seenIn, type HostSession, type LockRow } from './seen-hosts';

const ANSWER_MS = 10_000;

/** How a cluster that hosts share stands, as plain data. */
export interface ToldCluster {
  name: string;
  /** Nobody works there, or nobody can say that somebody does. */
  isLate: boolean;
  keptBy?: string;
  /** Since when the session of that host lives. PostgreSQL keeps no time of a lock. */
  hostSince?: string;
  /** When that host renewed last. */
  lastHeard?: string;
  /** Why it is late. */
  reason?: string;
}

/** A host that lives, as plain data. */
export interface ToldHost {
  host: string;
  isLate: boolean;
  since?: string;
  lastHeard?: string;
  keeps: number;
  /** How many of the clusters that were asked for its desired state names. */
  names: number;
}

export interface ToldLease {
  lease: string;
  clusters: ToldCluster[];
  hosts: ToldHost[];
  /** The user of the question, where it may not see the sessions of others. */
  blindUser?: string;
}

/** Asks PostgreSQL once which host keeps which of these clusters. Takes no lock, and sets and writes nothing. */
export async function watchClusters(
  url: string,
  name: string,
  clusters: readonly string[],
): Promise<ToldLease> {
  const { host, pathname, username } = new URL(url);
  const lease = `the lease ${name} in PostgreSQL at ${host}${pathname}`;
  const asked = { title: lease, user: decodeURIComponent(username), schema: null };
  const numbers = lockNumbers(name);
  try {
    const connection = await connectTo(url, ANSWER_MS);
    try {
      const { client } = connection;
      await refuseUnfitServer(client);
      const query = locksQuery(', current_user as "user"');
      const { rows } = await client.query<Row>(query, locksValues(numbers));
      const blind = rows.find(({ isHidden }) => isHidden);
      return { lease, ...toldOf(rows, numbers, clusters), ...(blind && { blindUser: blind.user }) };
    } finally {
      await connection.end();
    }
  } catch (error) {
    throw failureOf(error, asked);
  }
}

type Row = LockRow & { user: string };

/** What the locks say of these clusters. Pure. */
function toldOf(
  rows: readonly LockRow[],
  numbers: ReturnType<typeof lockNumbers>,
  clusters: readonly string[],
): Pick<ToldLease, 'clusters' | 'hosts'> {
  const seen = seenIn(rows, numbers);
  const alone = rows.find(({ kind, isAlone }) => kind === numbers.host[0] && isAlone);
  const ofAll = alone && seen.hosts.find(({ pid }) => pid === alone.pid);
  return {
    clusters: clusters.map(name => toldCluster(name, ofAll ?? seen.keeperOf(name), seen.hosts)),
    hosts: seen.hosts.map(host => ({
      host: host.text,
      isLate: isSilent(host),
      ...timesOf(host),
      keeps: host === ofAll ? clusters.length : host.keeps,
      names: host === ofAll ? clusters.length : clusters.filter(host.names).length,
    })),
  };
}

function toldCluster(
  name: string,
  keeper: HostSession | undefined,
  hosts: readonly HostSession[],
): ToldCluster {
  if (keeper === undefined)
    return { name, isLate: true, reason: whyFree(hosts.filter(host => host.names(name)).length) };
  const { since, ...heard } = timesOf(keeper);
  const hostSince = since === undefined ? {} : { hostSince: since };
  const told = { name, isLate: isSilent(keeper), keptBy: keeper.text, ...hostSince, ...heard };
  return told.isLate ? { ...told, reason: whySilent(keeper) } : told;
}

function whyFree(naming: number): string {
  if (naming === 0)
    return 'no host keeps it, and no host that lives names it: start the daemon with this lease and a desired state that names it';
  const [who, logs] =
    naming === 1
      ? ['the one host that names it', 'its log']
      : [`one of ${naming} hosts that name it`, 'their logs'];
  return `no host keeps it yet: ${who} takes it. If it stays so for more than 15 s, look at ${logs}`;
}

function whySilent({ silentMs }: HostSession): string {
  const seconds = ((silentMs ?? 0) / 1000).toFixed(1);
  return `its host has said nothing for ${seconds} s: it may write no more. When PostgreSQL has ended its session, another host that names the cluster takes it`;
}

/** A host may write no more by then. */
function isSilent({ silentMs }: HostSession): boolean {
  return silentMs !== null && silentMs > POSTGRES_TIMES.goodMs;
}

function timesOf({ since, heardAt }: HostSession): { since?: string; lastHeard?: string } {
  return {
    ...(since !== null && { since: since.toISOString() }),
    ...(heardAt !== null && { lastHeard: heardAt.toISOString() }),
  };
}

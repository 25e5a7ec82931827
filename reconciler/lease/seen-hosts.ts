import { hostText, numberOf, OURS } from './postgres-session';

/** What PostgreSQL says of the hosts of a lease, all at one moment. */
export interface Seen {
  /** The host that keeps a cluster, which may be us; undefined: none does. */
  keeperOf: (cluster: string) => Keeper | undefined;
  /** The hosts that live, we among them. */
  hosts: readonly SeenHost[];
}

interface Keeper {
  text: string;
  isUs: boolean;
}

export interface SeenHost {
  isUs: boolean;
  /** How many clusters it keeps. */
  keeps: number;
  /** Whether its desired state names this cluster. */
  names: (cluster: string) => boolean;
}

/** A host with what PostgreSQL says of its session. */
export interface HostSession extends SeenHost, Keeper {
  pid: number;
  /** Since when it lives; null: this user may not see it. */
  since: Date | null;
  /** When it renewed last; null: this user may not see it. */
  heardAt: Date | null;
  /** How long ago that is, by the clock of PostgreSQL. */
  silentMs: number | null;
}

/** A lock of a lease, and the session that holds it. */
export interface LockRow {
  kind: number;
  item: number;
  /** It keeps out all others. */
  isAlone: boolean;
  pid: number;
  isUs: boolean;
  /** This user may not see more of it than its name. */
  isHidden: boolean;
  name: string | null;
  address: string | null;
  since: Date | null;
  heardAt: Date | null;
  silentMs: number | null;
}

/** The numbers of the locks of a lease. */
export interface LockNumbers {
  /** The one that each host shares, or that a process has alone which has all clusters as one. */
  host: [number, number];
  kept: number;
  named: number;
}

export function lockNumbers(lease: string): LockNumbers {
  return {
    host: [OURS, numberOf(lease)],
    kept: numberOf(`kept\n${lease}`),
    named: numberOf(`named\n${lease}`),
  };
}

/** The query of all locks of a lease, whoever holds them. Takes no lock. `more`: further columns. */
export function locksQuery(more = ''): string {
  return `select l.classid::int as kind, l.objid::int as item, l.mode = 'ExclusiveLock' as "isAlone",
    l.pid, l.pid = pg_backend_pid() as "isUs", a.application_name as name, host(a.client_addr) as address,
    a.pid is not null and a.backend_start is null as "isHidden", a.backend_start as since, a.state_change as "heardAt",
    (extract(epoch from clock_timestamp() - a.state_change) * 1000)::float8 as "silentMs"${more}
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 2
  and l.database = (select oid from pg_database where datname = current_database())
  and (l.classid in ($1::int::oid, $2::int::oid) or l.classid = $3::int::oid and l.objid = $4::int::oid)`;
}

/** What the query is asked with. */
export function locksValues({ host, kept, named }: LockNumbers): number[] {
  return [kept, named, ...host];
}

/** What the locks say. */
export function seenIn(rows: readonly LockRow[], numbers: LockNumbers) {
  const hosts = new Map<number, HostSession & { named: Set<number> }>();
  const kept = new Map<number, HostSession>();
  for (const row of rows) {
    const host = hosts.get(row.pid) ?? hostOf(row);
    hosts.set(row.pid, host);
    if (row.kind === numbers.named) host.named.add(row.item);
    if (row.kind !== numbers.kept) continue;
    host.keeps += 1;
    kept.set(row.item, host);
  }
  const keeperOf = (cluster: string): HostSession | undefined => kept.get(numberOf(cluster));
  return { keeperOf, hosts: [...hosts.values()] satisfies HostSession[] };
}

function hostOf(row: LockRow): HostSession & { named: Set<number> } {
  const { pid, isUs, since, heardAt, silentMs } = row;
  const named = new Set<number>();
  const names = (cluster: string): boolean => named.has(numberOf(cluster));
  return { pid, text: hostText(row), isUs, keeps: 0, named, names, since, heardAt, silentMs };
}

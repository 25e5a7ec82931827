import { hostText, numberOf, OURS, type PostgresSession } from './postgres-session';

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

interface Row {
  kind: number;
  item: number;
  pid: number;
  isUs: boolean;
  isOurSession: boolean;
  name: string | null;
  address: string | null;
}

/** All locks of this lease, whoever holds them. */
const LOCKS = `from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 2
  and l.database = (select oid from pg_database where datname = current_database())
  and (l.classid in ($1::int::oid, $2::int::oid) or l.classid = $3::int::oid and l.objid = $4::int::oid)`;

/**
 * The locks by which several hosts share clusters, all on one session. Each host has a shared lock that says that it lives,
 * and one for each cluster that it names; who keeps a cluster has an exclusive one. They are of names: of two hosts that
 * name a cluster in different ways, each keeps it.
 */
export class ClusterLocks {
  readonly title: string;
  private readonly host: [number, number];
  private readonly kept: number;
  private readonly named: number;
  private isLiving = false;
  /** The clusters for which this session has said that we name them. */
  private said = new Set<string>();

  constructor(private readonly session: PostgresSession) {
    const { name, title } = session;
    this.title = title;
    // the lock of a process that has all as one: while it has it, none of us begins, and the other way round
    this.host = [OURS, numberOf(name)];
    this.kept = numberOf(`kept\n${name}`);
    this.named = numberOf(`named\n${name}`);
  }

  /** Renews what we hold, and looks who holds what. A text: who has all clusters as one. */
  async look(clusters: readonly string[]): Promise<Seen | string> {
    await this.join();
    if (this.isLiving) await this.say(clusters);
    const rows = await this.rows();
    const life = rows.filter(({ kind }) => kind === this.host[0]);
    if (!this.isLiving) return hostText(life[0] ?? { name: null, address: null });
    if (life.find(({ isUs }) => isUs)?.isOurSession !== true) {
      await this.session.end();
      throw new Error(
        `${this.title}: somebody else uses the session, as behind a pooler that shares them. Give the address of the server itself.`,
      );
    }
    return this.seenIn(rows);
  }

  /** Tries to take each of these. */
  async take(clusters: readonly string[]): Promise<string[]> {
    const rows = await this.session.ask<{ item: number; isTaken: boolean }>(
      'select item, pg_try_advisory_lock($1, item) as "isTaken" from unnest($2::int[]) item',
      [this.kept, clusters.map(numberOf)],
    );
    const taken = new Set(rows.filter(({ isTaken }) => isTaken).map(({ item }) => item));
    return clusters.filter(cluster => taken.has(numberOf(cluster)));
  }

  async giveBack(cluster: string): Promise<void> {
    await this.session.ask('select pg_advisory_unlock($1, $2)', [this.kept, numberOf(cluster)]);
  }

  /** All locks go with the session. Never throws. */
  end(): Promise<void> {
    return this.session.end();
  }

  private async join(): Promise<void> {
    if (!this.session.isOpen) {
      this.isLiving = false;
      this.said = new Set();
      await this.session.open();
    }
    if (this.isLiving) return;
    const [row] = await this.session.ask<{ isTaken: boolean }>(
      'select pg_try_advisory_lock_shared($1, $2) as "isTaken"',
      this.host,
    );
    this.isLiving = row?.isTaken === true;
  }

  private async say(clusters: readonly string[]): Promise<void> {
    const fresh = clusters.filter(cluster => !this.said.has(cluster));
    const gone = [...this.said].filter(cluster => !clusters.includes(cluster));
    const each = async (locks: string, names: string[]): Promise<void> => {
      if (names.length === 0) return;
      const text = `select ${locks}($1, item) from unnest($2::int[]) item`;
      await this.session.ask(text, [this.named, names.map(numberOf)]);
    };
    await each('pg_try_advisory_lock_shared', fresh);
    await each('pg_advisory_unlock_shared', gone);
    this.said = new Set(clusters);
  }

  private rows(): Promise<Row[]> {
    return this.session.ask<Row>(
      `select l.classid::int as kind, l.objid::int as item, l.pid, l.pid = pg_backend_pid() as "isUs",
         ${this.session.isOurs} as "isOurSession", a.application_name as name, host(a.client_addr) as address ${LOCKS}`,
      [this.kept, this.named, ...this.host],
    );
  }

  private seenIn(rows: readonly Row[]): Seen {
    const hosts = new Map<number, { isUs: boolean; keeps: number; named: Set<number> }>();
    const kept = new Map<number, Keeper>();
    for (const row of rows) {
      const host = hosts.get(row.pid) ?? { isUs: row.isUs, keeps: 0, named: new Set<number>() };
      hosts.set(row.pid, host);
      if (row.kind === this.named) host.named.add(row.item);
      if (row.kind !== this.kept) continue;
      host.keeps += 1;
      kept.set(row.item, { text: hostText(row), isUs: row.isUs });
    }
    return {
      keeperOf: cluster => kept.get(numberOf(cluster)),
      hosts: [...hosts.values()].map(({ isUs, keeps, named }) => ({
        isUs,
        keeps,
        names: cluster => named.has(numberOf(cluster)),
      })),
    };
  }
}

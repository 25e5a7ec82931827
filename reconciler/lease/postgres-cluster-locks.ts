import { hostText, numberOf, type PostgresSession } from './postgres-session';
import {
  lockNumbers,
  locksQuery,
  locksValues,
  seenIn,
  type LockNumbers,
  type LockRow,
  type Seen,
} from './seen-hosts';

type Row = LockRow & { isOurSession: boolean };

/**
 * The locks by which several hosts share clusters, all on one session. Each host has a shared lock that says that it lives,
 * and one for each cluster that it names; who keeps a cluster has an exclusive one. They are of names: of two hosts that
 * name a cluster in different ways, each keeps it.
 */
export class ClusterLocks {
  readonly title: string;
  private readonly numbers: LockNumbers;
  private isLiving = false;
  /** The clusters for which this session has said that we name them. */
  private said = new Set<string>();

  constructor(private readonly session: PostgresSession) {
    const { name, title } = session;
    this.title = title;
    // one is of a process that has all as one: while it has it, none of us begins, and the other way round
    this.numbers = lockNumbers(name);
  }

  /** Renews what we hold, and looks who holds what. A text: who has all clusters as one. */
  async look(clusters: readonly string[]): Promise<Seen | string> {
    await this.join();
    if (this.isLiving) await this.say(clusters);
    const rows = await this.rows();
    const life = rows.filter(({ kind }) => kind === this.numbers.host[0]);
    if (!this.isLiving) return hostText(life[0] ?? { name: null, address: null });
    if (life.find(({ isUs }) => isUs)?.isOurSession !== true) {
      await this.session.end();
      throw new Error(
        `${this.title}: somebody else uses the session, as behind a pooler that shares them. Give the address of the server itself.`,
      );
    }
    return seenIn(rows, this.numbers);
  }

  /** Tries to take each of these. */
  async take(clusters: readonly string[]): Promise<string[]> {
    const rows = await this.session.ask<{ item: number; isTaken: boolean }>(
      'select item, pg_try_advisory_lock($1, item) as "isTaken" from unnest($2::int[]) item',
      [this.numbers.kept, clusters.map(numberOf)],
    );
    const taken = new Set(rows.filter(({ isTaken }) => isTaken).map(({ item }) => item));
    return clusters.filter(cluster => taken.has(numberOf(cluster)));
  }

  async giveBack(cluster: string): Promise<void> {
    await this.session.ask('select pg_advisory_unlock($1, $2)', [this.numbers.kept, numberOf(cluster)]);
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
      this.numbers.host,
    );
    this.isLiving = row?.isTaken === true;
  }

  private async say(clusters: readonly string[]): Promise<void> {
    const fresh = clusters.filter(cluster => !this.said.has(cluster));
    const gone = [...this.said].filter(cluster => !clusters.includes(cluster));
    const each = async (locks: string, names: string[]): Promise<void> => {
      if (names.length === 0) return;
      const text = `select ${locks}($1, item) from unnest($2::int[]) item`;
      await this.session.ask(text, [this.numbers.named, names.map(numberOf)]);
    };
    await each('pg_try_advisory_lock_shared', fresh);
    await each('pg_advisory_unlock_shared', gone);
    this.said = new Set(clusters);
  }

  private rows(): Promise<Row[]> {
    const ours = `, ${this.session.isOurs} as "isOurSession"`;
    return this.session.ask<Row>(locksQuery(ours), locksValues(this.numbers));
  }
}

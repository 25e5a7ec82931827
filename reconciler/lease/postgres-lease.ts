import { renewUntil, type Lease } from './lease';
import { hostText, numberOf, OURS, POSTGRES_TIMES, type PostgresSession } from './postgres-session';

/** Whether a row of pg_locks is the lock: two numbers, in this database. */
const IS_LOCK = `locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid = $1::int::oid and objid = $2::int::oid and objsubid = 2`;

/**
 * A lock of PostgreSQL for the process as a whole (`pg_try_advisory_lock`). PostgreSQL lets go of it when the session ends,
 * or is silent for `freeMs`. It writes no table.
 */
export class PostgresLease implements Lease {
  readonly times = POSTGRES_TIMES;
  readonly title: string;
  private readonly lock: [number, number];

  constructor(private readonly session: PostgresSession) {
    this.title = session.title;
    this.lock = [OURS, numberOf(session.name)];
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    await this.session.open();
    const [row] = await this.session.ask<{ isTaken: boolean }>(
      'select pg_try_advisory_lock($1, $2) as "isTaken"',
      this.lock,
    );
    if (row?.isTaken !== true) return this.holder();
    // its session may have ended where the holder cannot hear of it: he writes no longer than this
    await renewUntil(this, performance.now() + this.times.goodMs, signal);
    return undefined;
  }

  async renew(): Promise<boolean> {
    if (!this.session.isOpen) return false;
    const [row] = await this.session.ask<{ isHeld: boolean }>(
      `select ${this.session.isOurs} and exists (
         select from pg_locks where pid = pg_backend_pid() and mode = 'ExclusiveLock' and ${IS_LOCK}) as "isHeld"`,
      this.lock,
    );
    return row?.isHeld === true;
  }

  /** The lock goes with the session. */
  release(): Promise<void> {
    return this.session.end();
  }

  private async holder(): Promise<string> {
    const [row] = await this.session.ask<{ name: string | null; address: string | null }>(
      `select application_name as name, host(client_addr) as address from pg_locks join pg_stat_activity using (pid)
         where ${IS_LOCK}`,
      this.lock,
    );
    return hostText(row ?? { name: null, address: null });
  }
}

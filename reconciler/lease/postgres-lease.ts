import { createHash, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import os from 'node:os';
import { Client } from 'pg';
import { InputError } from '../errors';
import { pause } from '../pve';
import { renewUntil, type Lease } from './lease';

/** The first half of the number that is locked: that of this program. */
const OURS = 0x7076_6572;
/** Whether a row of pg_locks is the lock: two numbers, in this database. */
const IS_LOCK = `locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid = $1::int::oid and objid = $2::int::oid and objsubid = 2`;
const ANSWER_MS = 3_000;
/** The first version that ends a session which says nothing: without it a host that hangs would hold the lock for hours. */
const OLDEST = 14;

/**
 * A lock of PostgreSQL on a session of its own (`pg_try_advisory_lock`). PostgreSQL lets go of it when the session ends, or
 * is silent for `freeMs`. It writes no table.
 */
export class PostgresLease implements Lease {
  readonly times = { renewMs: 1_000, goodMs: 4_000, freeMs: 5_000 };
  readonly title: string;
  private readonly us = randomUUID();
  private readonly key: number;
  private client: Client | undefined;
  private socket: Socket | undefined;

  constructor(
    private readonly url: string,
    name: string,
  ) {
    const { host, pathname } = new URL(url);
    this.title = `the lease ${name} in PostgreSQL at ${host}${pathname}`;
    this.key = createHash('sha256').update(name).digest().readInt32BE(0) & 0x7fff_ffff;
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    const client = await this.session();
    const { rows } = await this.ask<{ isTaken: boolean }>(
      client,
      'select pg_try_advisory_lock($1, $2) as "isTaken"',
    );
    if (rows[0]?.isTaken !== true) return this.holder(client);
    // its session may have ended where the holder cannot hear of it: he writes no longer than this
    await renewUntil(this, performance.now() + this.times.goodMs, signal);
    return undefined;
  }

  async renew(): Promise<boolean> {
    if (this.client === undefined) return false;
    const { rows } = await this.ask<{ isHeld: boolean }>(
      this.client,
      `select not pg_is_in_recovery() and current_setting('pve_reconciler.session') = '${this.us}'
         and exists (select from pg_locks where pid = pg_backend_pid() and ${IS_LOCK}) as "isHeld"`,
    );
    return rows[0]?.isHeld === true;
  }

  async release(): Promise<void> {
    const { client, socket } = this;
    this.client = undefined;
    // the lock goes with the session
    if (client && socket) await ended(client, socket);
  }

  private async session(): Promise<Client> {
    if (this.client !== undefined) return this.client;
    const host = os.hostname();
    const socket = new Socket();
    const client = new Client({
      connectionString: this.url,
      application_name: `pve-reconciler ${host}`.slice(0, 63),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      stream: () => socket,
    });
    client.on('error', () => undefined).on('end', () => this.forget(client));
    try {
      await client.connect();
      await this.prepare(client);
    } catch (error) {
      await ended(client, socket);
      throw error;
    }
    [this.client, this.socket] = [client, socket];
    return client;
  }

  private async prepare(client: Client): Promise<void> {
    const { rows } = await client.query<{ version: string; isCopy: boolean }>(
      `select current_setting('server_version') as version, pg_is_in_recovery() as "isCopy"`,
    );
    const { version = '', isCopy = false } = rows[0] ?? {};
    if (isCopy)
      throw new InputError(
        `--lease: this is a copy of another PostgreSQL, and its locks are its own. Give the address of the first.`,
      );
    if (Number.parseInt(version, 10) < OLDEST)
      throw new InputError(
        `--lease: PostgreSQL ${version} cannot end a session that is silent. Use ${OLDEST} or newer.`,
      );
    await client.query(`set idle_session_timeout = ${this.times.freeMs}`);
    // of a session that a pooler shares, only who came last holds anything
    await client.query(`set pve_reconciler.session = '${this.us}'`);
  }

  private forget(client: Client): void {
    if (this.client === client) this.client = undefined;
  }

  /** Who holds it, as far as this user may see. */
  private async holder(client: Client): Promise<string> {
    const { rows } = await this.ask<{ name: string | null; address: string | null }>(
      client,
      `select application_name as name, host(client_addr) as address from pg_locks join pg_stat_activity using (pid)
         where ${IS_LOCK}`,
    );
    const [row] = rows;
    return `${row?.name?.replace(/^pve-reconciler /, '') || 'another host'} (${row?.address ?? 'local'})`;
  }

  private async ask<R extends object>(client: Client, text: string): Promise<{ rows: R[] }> {
    try {
      return await client.query<R>(text, [OURS, this.key]);
    } catch (error) {
      // a session that failed once is not trusted with a lock
      await this.release();
      throw error;
    }
  }
}

/** Ends a session. One that hangs is not waited for, also not by the end of the process. */
async function ended(client: Client, socket: Socket): Promise<void> {
  const late = new AbortController();
  await Promise.race([client.end(), pause(ANSWER_MS, late.signal)]).catch(() => undefined);
  late.abort();
  socket.destroy();
}

import { createHash, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { InputError } from '../errors';
import { connectTo, type Connection } from '../postgres/connect';

/** `freeMs`: so long a session may be silent, and PostgreSQL ends it. */
export const POSTGRES_TIMES = { renewMs: 1_000, goodMs: 4_000, freeMs: 5_000 };

/** The first half of the lock that the processes of a lease share, or that one has alone: the number of this program. */
export const OURS = 0x7076_6572;

const ANSWER_MS = 3_000;
/** The first version that ends a session which says nothing: without it a host that hangs would hold the lock for hours. */
const OLDEST = 14;

/** A number for a name, as locks have them. */
export function numberOf(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE(0) & 0x7fff_ffff;
}

/** A session of PostgreSQL to hold locks in. PostgreSQL ends it when it is silent, and the locks go with it. */
export class PostgresSession {
  readonly title: string;
  private readonly us = randomUUID();
  private connection: Connection | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    readonly name: string,
  ) {
    const { host, pathname } = new URL(url);
    this.title = `the lease ${name} in PostgreSQL at ${host}${pathname}`;
  }

  get isOpen(): boolean {
    return this.connection !== undefined;
  }

  async open(): Promise<void> {
    if (this.connection !== undefined) return;
    const connection = await connectTo(this.url, ANSWER_MS);
    connection.client.on('end', () => this.forget(connection));
    try {
      await this.prepare(connection.client);
    } catch (error) {
      await connection.end();
      throw error;
    }
    this.connection = connection;
  }

  /** Throws where no session is open. One that failed once is not trusted with a lock: it ends. One question after the other. */
  ask<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const answer = this.last.then(() => this.askNow<R>(text, values));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async askNow<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const { connection } = this;
    if (connection === undefined) throw new Error(`${this.title}: the session has ended`);
    try {
      return (await connection.client.query<R>(text, values)).rows;
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Whether this session is still ours alone, as a part of a query: of one that a pooler shares, who came last has it. */
  get isOurs(): string {
    return `(not pg_is_in_recovery() and current_setting('pve_reconciler.session', true) = '${this.us}')`;
  }

  /** Never throws. */
  async end(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.end();
  }

  private async prepare(client: Client): Promise<void> {
    await refuseUnfitServer(client);
    await client.query(`set idle_session_timeout = ${POSTGRES_TIMES.freeMs}`);
    await client.query(`set pve_reconciler.session = '${this.us}'`);
  }

  private forget(connection: Connection): void {
    if (this.connection === connection) this.connection = undefined;
  }
}

/** Throws where the server's locks say nothing, or not in time. */
export async function refuseUnfitServer(client: Client): Promise<void> {
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
}

/** Who holds a lock, as far as this user may see. */
export function hostText({ name, address, isHidden }: Holder): string {
  const where = address ?? (isHidden === true ? 'address not shown' : 'local');
  return `${name?.replace(/^pve-reconciler /, '') || 'another host'} (${where})`;
}

interface Holder {
  name: string | null;
  address: string | null;
  isHidden?: boolean;
}

import type { Client } from 'pg';
import { InputError, StoreAwayError } from '../errors';
import { storedPlace, type StoredPlace } from './address';
import { connectTo } from './connect';
import { cannotMake, codeOf, failureOf, NO_TABLE, TABLE } from './failures';

/** So long PostgreSQL may take for an answer. */
const ANSWER_MS = 10_000;
/** The form of the rows that this release writes and reads. */
const FORM = 1;

/** A version of a desired state, as the history tells it. */
export interface Version {
  version: number;
  /** When it was stored, by the clock of PostgreSQL. */
  at: string;
  /** Who stored it, as `user@host`: what that host said. */
  by: string;
  why: string | null;
  bytes: number;
  /** Of the row: a newer release may write another one. */
  form: number;
}

/** What tells a version from any other: an older database that was brought back gives a number a second time. */
export type VersionId = Pick<Version, 'version' | 'at'>;

/** One with its text, byte for byte. */
export type Stored = Version & { document: Buffer };

const COLUMNS = `version, to_char(put_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  put_by as by, why, length(document) as bytes, form`;

/** Works with what is stored at a place, on a connection for this work. */
export async function atStore<T>(place: string, work: (store: StoredSet) => Promise<T>): Promise<T> {
  const found = storedPlace(place);
  const asked = { title: found.title, user: decodeURIComponent(new URL(found.url).username), schema: null };
  let connection;
  try {
    connection = await connectTo(found.url, ANSWER_MS);
  } catch (error) {
    throw failureOf(error, asked);
  }
  const store = new StoredSet(connection.client, found);
  try {
    await store.begin();
    return await work(store);
  } catch (error) {
    throw failureOf(error, store.asked);
  } finally {
    await connection.end();
  }
}

/** The versions of one set of machines. Only `makeTable` and `add` write; nothing is ever changed or deleted. */
export class StoredSet {
  readonly title: string;
  asked: Parameters<typeof failureOf>[1];
  private isThere = false;
  private readonly set: string;

  constructor(
    private readonly client: Client,
    { title, set }: StoredPlace,
  ) {
    [this.title, this.set] = [title, set];
    this.asked = { title, user: '', schema: null };
  }

  /** What is said where nothing was stored yet. */
  get emptyText(): string {
    return `${this.title} holds no desired state yet: store one with pve-reconciler put FILE --spec ADDRESS.`;
  }

  /** Learns where it is. Throws where an older state might be read as the newest one. */
  async begin(): Promise<void> {
    const [row] = await this.ask<{ user: string; schema: string | null; isCopy: boolean; isThere: boolean }>(
      `select current_user as "user", current_schema() as "schema", pg_is_in_recovery() as "isCopy",
         to_regclass('${TABLE}') is not null as "isThere"`,
    );
    this.asked = { title: this.title, user: row?.user ?? '', schema: row?.schema ?? null };
    if (row?.isCopy)
      throw new InputError(
        `${this.title}: this is a copy of another PostgreSQL, and may be behind it. Give the address of the first.`,
      );
    this.isThere = row?.isThere === true;
  }

  /** Undefined: nothing was stored yet. */
  async newest(): Promise<Version | undefined> {
    const [row] = await this.rows<Version>('order by version desc limit 1');
    return this.known(row);
  }

  /** With its text; without a number the newest one. */
  async read(version?: number): Promise<Stored | undefined> {
    const which = version === undefined ? 'order by version desc limit 1' : 'and version = $2';
    const [row] = await this.rows<Stored>(which, version === undefined ? [] : [version], ', document');
    return this.known(row);
  }

  /** Throws where `now` does not follow a version that was read before: somebody has brought an older database back. */
  async refuseOlder(now: VersionId, before: VersionId): Promise<void> {
    const [same] = await this.rows<Version>('and version = $2', [before.version]);
    // old versions may be removed: then a higher number is all that is known
    if (same === undefined ? now.version > before.version : same.at === before.at) return;
    throw new InputError(
      `${this.title}: its newest version is ${now.version} of ${now.at}, and version ${before.version} of ${before.at} was read before, which is not there any more: somebody has brought an older database back. The desired state that was read stays. Look at it (pve-reconciler get --history), put what you want, and start the daemon anew.`,
    );
  }

  /** Newest first. */
  history(): Promise<Version[]> {
    return this.rows<Version>('order by version desc');
  }

  /** Makes the table where it is not there. */
  async makeTable(): Promise<void> {
    if (this.isThere) return;
    const make = `create table if not exists ${TABLE} (
      name text not null, version integer not null, form integer not null,
      put_at timestamptz not null default now(), put_by text not null, why text, document bytea not null,
      primary key (name, version))`;
    try {
      // two that make it at once: one of them fails, and finds it
      await this.client.query(make).catch(error => {
        if (!['23505', '42P07'].includes(codeOf(error))) throw error;
      });
    } catch (error) {
      throw cannotMake(error, this.asked);
    }
    this.isThere = true;
  }

  /** Stores the next version. Undefined: somebody else has stored one since `before` was read, and nothing is stored. */
  async add(
    before: number,
    { document, by, why }: { document: Buffer; by: string; why: string | undefined },
  ): Promise<number | undefined> {
    try {
      const added = await this.ask<{ version: number }>(
        `insert into ${TABLE} (name, version, form, put_by, why, document)
           select $1, $2::integer + 1, $3, $4, $5, $6
           where (select coalesce(max(version), 0) from ${TABLE} where name = $1) = $2 returning version`,
        [this.set, before, FORM, by, why ?? null, document],
      );
      return added[0]?.version;
    } catch (error) {
      if (codeOf(error) === '23505') return undefined;
      const failure = failureOf(error, this.asked);
      if (!(failure instanceof StoreAwayError)) throw failure;
      const message = `${failure.message} It is not known whether the version was stored: put stores nothing twice.`;
      throw new StoreAwayError(message, { cause: error });
    }
  }

  private known<R extends Version>(row: R | undefined): R | undefined {
    if (row === undefined || row.form <= FORM) return row;
    throw new InputError(
      `${this.title}: a newer release wrote version ${row.version} (form ${row.form}, and this one knows ${FORM}). Install that release here.`,
    );
  }

  private async rows<R extends object>(rest: string, values: unknown[] = [], more = ''): Promise<R[]> {
    if (!this.isThere) return [];
    const select = `select ${COLUMNS}${more} from ${TABLE} where name = $1 ${rest}`;
    try {
      return await this.ask<R>(select, [this.set, ...values]);
    } catch (error) {
      // taken away since `begin` looked
      if (codeOf(error) !== NO_TABLE) throw error;
      this.isThere = false;
      return [];
    }
  }

  private async ask<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.client.query<R>(text, values)).rows;
  }
}

/** The newest version at a place; undefined: there is none. */
export function newestAt(place: string): Promise<Version | undefined> {
  return atStore(place, store => store.newest());
}

/** The newest version at a place with its text. Throws where there is none, or none that follows `before`. */
export async function readNewest(place: string, before?: VersionId): Promise<Stored> {
  return atStore(place, async store => {
    const stored = await store.read();
    if (stored === undefined) throw new InputError(store.emptyText);
    if (before !== undefined) await store.refuseOlder(stored, before);
    return stored;
  });
}

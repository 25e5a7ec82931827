import { InputError, messageOf, StoreAwayError } from '../errors';

/** The table of all sets. It is looked for where PostgreSQL looks by itself (`search_path`). */
export const TABLE = 'pve_reconciler_desired';

/** What PostgreSQL says of a table that is not there. */
export const NO_TABLE = '42P01';

/** What an error is about, and who asked. */
interface Asked {
  title: string;
  user: string;
  /** The schema where new tables come; null: there is none. */
  schema: string | null;
}

/** A name as SQL reads it, whoever chose it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What PostgreSQL says and waiting does not mend, by its code (errcodes.txt), with what to do. */
const FOR_GOOD: Readonly<Record<string, (asked: Asked) => string>> = {
  '28P01': () => 'the password is wrong. Set PGPASSWORD or PGPASSFILE',
  '28000': () => 'this user may not connect. Ask its administrator for a line in pg_hba.conf, or a role',
  '3D000': () => 'there is no such database. Name another one, or have it made',
  '42501': ({ user }) =>
    `this user may not do that. Its administrator allows it with: GRANT SELECT, INSERT ON ${TABLE} TO ${quoted(user)}; (who only reads needs SELECT)`,
  '25006': () => 'it only reads, and stores nothing. Give the address of the server that is written',
  [NO_TABLE]: () =>
    `its table ${TABLE} was taken away meanwhile, and nothing was stored. Run put again: it makes the table`,
  '42703': () => `its table ${TABLE} is not that of this release. Install the newest release here`,
  '42804': () => `its table ${TABLE} is not that of this release. Install the newest release here`,
};

/** The password is asked for, and there is none: that has no code. */
const NO_PASSWORD = /client password must be a string|password.*missing/i;

/** Codes of PostgreSQL (SQLSTATE), and of the system for connections. */
const AWAY = /^(?:[0-9A-Z]{5}|E(?:AI_)?[A-Z]+)$/;
/** What the driver says where a connection ended or nobody answered: that has no code. */
const AWAY_TEXT = /^(?:connection terminated|timeout|query read timeout|client (?:has|was))/i;
const TLS = /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_|DEPTH_|SELF_SIGNED|HOSTNAME_)/;
const NO_TLS = /does not support SSL/i;

/** An error of PostgreSQL in our words. Those of ours stay, and what nobody foresaw. */
export function failureOf(error: unknown, asked: Asked): Error {
  if (error instanceof InputError || error instanceof StoreAwayError) return error;
  const text = reasonOf(error);
  const code = codeOf(error);
  if (NO_PASSWORD.test(text)) return new InputError(sentence(asked, FOR_GOOD['28P01']?.(asked) ?? ''));
  const own = ownFault(error, text);
  if (own !== undefined) return new InputError(sentence(asked, `${own} (${text})`));
  const says = FOR_GOOD[code]?.(asked);
  if (says !== undefined) return new InputError(sentence(asked, `${says}. PostgreSQL said: ${text}`));
  if (AWAY.test(code) || AWAY_TEXT.test(text)) {
    const message = sentence(asked, `PostgreSQL does not answer well (${text}). Running again is safe`);
    return new StoreAwayError(message, { cause: error });
  }
  return error instanceof Error ? error : new Error(text);
}

/** What is wrong on this side, or between both. */
function ownFault(error: unknown, text: string): string | undefined {
  const file = error instanceof Error && 'path' in error && 'syscall' in error ? error.path : undefined;
  if (typeof file === 'string')
    return `the file ${file} of its address cannot be read (${codeOf(error)}). Name one that is there and that this user may read`;
  if (TLS.test(codeOf(error)))
    return 'its certificate is not accepted. Give the file of its authority: sslrootcert=FILE behind "?" in the address';
  return NO_TLS.test(text) ? 'it speaks no TLS. Switch that on there, or write sslmode=disable' : undefined;
}

/** Why the table cannot be made, with the one statement that lets this user make it. */
export function cannotMake(error: unknown, asked: Asked): Error {
  if (codeOf(error) !== '42501' && codeOf(error) !== '3F000') return failureOf(error, asked);
  const [user, schema] = [quoted(asked.user), asked.schema];
  const statement =
    schema === null
      ? `CREATE SCHEMA AUTHORIZATION ${user};`
      : `GRANT CREATE ON SCHEMA ${quoted(schema)} TO ${user};`;
  return new InputError(
    sentence(
      asked,
      `its table ${TABLE} is not there yet, and this user may not make it. Its administrator allows that, in this database, with: ${statement} Then run put again`,
    ),
  );
}

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Several addresses of one name fail as one error without a text. */
function reasonOf(error: unknown): string {
  const one: unknown = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  return messageOf(one).replace(/\s*\n\s*/g, ' | ');
}

function sentence({ title }: Asked, says: string): string {
  return `${title}: ${says}.`;
}

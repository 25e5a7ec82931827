import { InputError, messageOf, StoreAwayError } from '../errors';

/** The table of all sets. It is looked for where PostgreSQL looks by itself (`search_path`). */
export const TABLE = 'pve_reconciler_desired';

/** What an error is about, and who asked. */
interface Asked {
  title: string;
  user: string;
  /** The schema where new tables come; null: there is none. */
  schema: string | null;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What PostgreSQL says and running again does not mend, by its code (errcodes.txt), with what to do. */
const FOR_GOOD: Readonly<Record<string, (asked: Asked) => string>> = {
  '28P01': () => 'the password is wrong. Set PGPASSWORD or PGPASSFILE',
  '28000': () => 'this user may not connect. Ask its administrator for a line in pg_hba.conf, or a role',
  '3D000': () => 'there is no such database. Name another one, or have it made',
  '42501': ({ user }) =>
    `this user may not do that. Its administrator allows it with: GRANT SELECT, INSERT ON ${TABLE} TO ${quoted(user)}; (who only reads needs SELECT)`,
  '25006': () => 'it only reads, and stores nothing. Give the address of the server that is written',
  '42703': () => `its table ${TABLE} is not that of this release. Install the newest release here`,
  '42804': () => `its table ${TABLE} is not that of this release. Install the newest release here`,
};

/** The password is asked for, and there is none: that has no code. */
const NO_PASSWORD = /client password must be a string|password.*missing/i;

/** An error of PostgreSQL in our words. Those of ours stay. */
export function failureOf(error: unknown, asked: Asked): Error {
  if (error instanceof InputError || error instanceof StoreAwayError) return error;
  const text = reasonOf(error);
  const code = codeOf(error);
  if (NO_PASSWORD.test(text)) return new InputError(sentence(asked, FOR_GOOD['28P01']?.(asked) ?? ''));
  const says = FOR_GOOD[code]?.(asked);
  if (says !== undefined) return new InputError(sentence(asked, `${says}. PostgreSQL said: ${text}`));
  return new StoreAwayError(
    sentence(asked, `PostgreSQL does not answer well (${text}). Running again is safe`),
    {
      cause: error,
    },
  );
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

import { InputError } from '../errors';

const PROTOCOLS = ['postgres:', 'postgresql:'];
/** Names that people give: of a lease, and of a set of machines. */
export const NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

/** What may stand behind "?". */
const KEYS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** Whether a place that somebody named is in PostgreSQL. A wrong address is none of a file: it may hold a password. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:/i.test(place);
}

/** Whether this is an address of a PostgreSQL at all. */
export function namesHost(place: string): boolean {
  const at = URL.canParse(place) ? new URL(place) : undefined;
  return at !== undefined && PROTOCOLS.includes(at.protocol) && at.host !== '';
}

/** Throws where an address of PostgreSQL says what it may not, or too little. `why`: what the database is needed for. */
export function refuseUnfit(url: string, flag: string, why: string): void {
  const at = new URL(url);
  if (at.pathname.length < 2)
    throw new InputError(
      `${flag}: name the database too, as in postgres://pve@db.example.com/pve: ${why} is of one database.`,
    );
  const others = [...at.searchParams.keys()].filter(key => !KEYS.includes(key));
  if (others.length > 0)
    throw new InputError(
      `${flag}: remove ${others.join(', ')} from the address. Allowed after "?" are sslmode, sslrootcert, sslcert and sslkey.`,
    );
  if (!isDecodable(at.username) || !isDecodable(at.pathname))
    throw new InputError(
      `${flag}: a "%" in the user or the database of the address is followed by no number of a letter. Write %25 for the sign itself.`,
    );
  // everybody on the host reads the arguments of a process
  if (at.password !== '')
    throw new InputError(`${flag}: remove the password from the address, and set PGPASSWORD or PGPASSFILE.`);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a desired state is kept in PostgreSQL. */
export interface StoredPlace {
  /** The address, for the connection. */
  url: string;
  /** The set of machines: a database may hold several. */
  set: string;
  /** What people read. */
  title: string;
  /** The same on every host, whatever name the server has there. */
  source: string;
}

/** The place that an address names: the set stands behind "#". */
export function storedPlace(place: string): StoredPlace {
  if (!namesHost(place))
    throw new InputError(
      URL.canParse(place)
        ? '--spec and --manifests: an address of PostgreSQL has a host and a database, as postgres://pve@db.example.com/pve has.'
        : '--spec and --manifests: the address of PostgreSQL cannot be read: its port is no number from 0 to 65535, or its host or its password holds what must be written as %XX. It looks like postgres://pve@db.example.com:5432/pve.',
    );
  refuseUnfit(place, '--spec and --manifests', 'a desired state');
  const at = new URL(place);
  const set = at.hash === '' ? 'desired' : at.hash.slice(1);
  if (!NAME.test(set))
    throw new InputError(
      `the set ${JSON.stringify(set)} behind "#" is no name: allowed are small letters, digits, '-' and '.', such as postgres://pve@db.example.com/pve#team-a.`,
    );
  const database = at.pathname.slice(1);
  at.hash = '';
  return {
    ...{ url: at.href, set, title: `the set ${set} in PostgreSQL at ${at.host}/${database}` },
    source: `${database}/${set}`,
  };
}

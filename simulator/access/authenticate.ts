import { findNamed } from '../own-keys';
import { Failure } from '../failure';
import type { Sim } from '../cluster/sim';
import { requirePrivileges } from './privileges';
import { isCsrfToken, userOfTicket } from './ticket';
import { enabledUser } from './users';

/** What a request says of who sends it. */
export interface Credentials {
  method: string;
  /** The path below the format, not normalised. */
  path: string;
  ticket: string | undefined;
  apiToken: string | undefined;
  csrf: string | undefined;
}

export interface Auth {
  /** user@realm or user@realm!token; absent on the few calls that anybody may make. */
  user?: string;
  viaToken: boolean;
  /** Its body is a file: no limit, no CSRF token. */
  isUpload: boolean;
}

/** Calls that need no login, exactly as written here. */
const OPEN = new Set([
  'GET /access/domains',
  'GET /access/ticket',
  'POST /access/ticket',
  'POST /access/openid/auth-url',
  'POST /access/openid/login',
]);

/** Finds out who sends a request, before its body is read. Fails with 401, or for uploads with 403. */
export function authenticate(sim: Sim, credentials: Credentials): Auth {
  const { method, path, ticket, apiToken } = credentials;
  const viaToken = apiToken !== undefined;
  if (OPEN.has(`${method} ${path}`)) return { viaToken, isUpload: false };
  const user = viaToken ? userOfToken(sim, apiToken) : userOfAnyTicket(sim, ticket);
  const upload = method === 'POST' ? /^\/nodes\/[^/]+\/storage\/([^/]+)\/upload$/.exec(path) : null;
  if (upload) requirePrivileges(sim, user, `/storage/${upload[1] ?? ''}`, ['Datastore.AllocateTemplate']);
  else if (!viaToken && method !== 'GET' && !isCsrfToken(sim, user, credentials.csrf))
    throw new Failure(401, 'Permission denied - invalid csrf token');
  return { user, viaToken, isUpload: upload !== null };
}

function userOfAnyTicket(sim: Sim, ticket: string | undefined): string {
  if (ticket === undefined || ticket === '') throw new Failure(401, 'No ticket');
  const user = userOfTicket(sim, ticket);
  if (user === undefined || !enabledUser(sim, user)) throw new Failure(401, 'Authentication failed!');
  return user;
}

function userOfToken(sim: Sim, apiToken: string): string {
  const equals = apiToken.indexOf('=');
  const id = apiToken.slice(0, Math.max(equals, 0));
  const [owner = '', tokenid = ''] = id.split('!');
  const token = findNamed(enabledUser(sim, owner)?.tokens ?? {}, tokenid);
  const expired = token?.expire !== undefined && token.expire > 0 && token.expire < sim.clock.now() / 1000;
  if (!token || expired || token.value !== apiToken.slice(equals + 1))
    throw new Failure(401, 'Authentication failed!');
  return id;
}

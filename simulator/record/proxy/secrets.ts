import { decodeForm } from '../../wire/form';
import { isRow } from '../shape';
import type { Row } from '../shape';
import type { Exchange } from './exchange';
import { dataOf } from './exchange';
import { isFreeField, isSecretField } from './secret-fields';

/** What is sent in the place of a secret. It is long enough for a password. */
const REPLACED = 'replaced-secret';

const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA replaced';

export function replacedSecret(name: string, value: unknown, status: number): string | string[] {
  if (Array.isArray(value)) return [REPLACED];
  return name === 'sshkeys' && status === 200 ? encodeURIComponent(PUBLIC_KEY) : REPLACED;
}

/** Every secret that went through: logins, tickets and the values of secret fields. */
export function secretsIn(exchanges: readonly Exchange[]): Set<string> {
  const secrets = new Set<string>();
  for (const exchange of exchanges) {
    for (const header of ['cookie', 'authorization', 'csrfpreventiontoken'])
      addHeader(secrets, exchange.headers[header]);
    for (const value of [decodeForm(exchange.query), parsedBody(exchange), dataOf(exchange)])
      addFields(secrets, exchange.path, value);
  }
  return secrets;
}

function addHeader(secrets: Set<string>, header: string | string[] | undefined): void {
  for (const part of String(header ?? '').split(/[;\s]+/)) {
    const value = part.replace(/^(PVEAuthCookie|PVEAPIToken)=/, '').replace(/^[^\s=]+![^\s=]+=/, '');
    add(secrets, value);
    add(secrets, unquoted(value));
  }
}

function unquoted(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Hidden = 'secret' | 'free' | undefined;

function addFields(secrets: Set<string>, path: string, value: unknown, hidden?: Hidden): void {
  if (typeof value === 'string') {
    if (hidden === 'secret') add(secrets, value);
    if (hidden === 'free') addFree(secrets, value);
  } else if (Array.isArray(value)) {
    for (const each of value) addFields(secrets, path, each, hidden);
  } else if (isRow(value)) {
    const named = isConfigRow(value) ? hiddenBy(path, value['key'], {}) : undefined;
    for (const [name, each] of Object.entries(value)) {
      if (name === 'key' && named !== undefined) continue;
      addFields(secrets, path, each, hidden ?? named ?? hiddenBy(path, name, value));
    }
  }
}

const isConfigRow = (row: Row): row is Row & { key: string } =>
  typeof row['key'] === 'string' && !isSecretField('key', row);

function hiddenBy(path: string, name: string, row: Row): Hidden {
  if (isSecretField(name, row)) return 'secret';
  return isFreeField(path, name) ? 'free' : undefined;
}

const SHORTEST_TEXT = 12;
const NAMED_SECRET = /(?:pass\w*|secret|token|key|PVEAPIToken=[^\s=]+)[=:]\s*"?([^\s,;"]+)/gi;

/** A text that may hold a secret. Its short words stand in other texts too, so only what it names a secret is one there. */
function addFree(secrets: Set<string>, text: string): void {
  if (text.length >= SHORTEST_TEXT) add(secrets, text);
  for (const [, part = ''] of text.matchAll(NAMED_SECRET)) add(secrets, part);
}

/** Short words are no secrets of their own, and stand in other texts too. */
function add(secrets: Set<string>, value: string): void {
  if (value.length < 5 || /^\*+$/.test(value)) return;
  secrets.add(value);
  secrets.add(encodeURIComponent(value));
}

/** The parameters of a body; undefined where it has none that can be read. */
export function parsedBody({ headers, body }: Exchange): unknown {
  const type = String(headers['content-type'] ?? '');
  if (body === undefined || body === '' || type.startsWith('multipart/')) return undefined;
  if (!type.startsWith('application/json')) return decodeForm(body);
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** All texts within a value, without the secrets that they may hold. */
export function scrubbed(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return scrubbedText(value, secrets);
  if (Array.isArray(value)) return value.map(each => scrubbed(each, secrets));
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, scrubbed(each, secrets)]));
}

function scrubbedText(text: string, secrets: readonly string[]): string {
  // the player's own words
  if (text === '${user}' || text === '${password}') return text;
  let clean = text
    .replace(/PVE(?:VNC)?:[^\s"'/]+::[A-Za-z0-9+/=]+/g, '<ticket>')
    // the login in an address
    .replace(/(:\/\/)[^\s/@]+@/g, `$1${REPLACED}@`);
  for (const secret of secrets) clean = clean.replaceAll(secret, REPLACED);
  return clean;
}

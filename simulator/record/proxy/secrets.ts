import { decodeForm } from '../../wire/form';
import { isRow } from '../shape';
import type { Exchange } from './exchange';
import { dataOf } from './exchange';

/** Fields, of requests and of answers, whose value nobody may see. */
const SECRET_FIELDS =
  /passw|passphrase|secret|keyring|private|^otp$|^totp$|tfa|ticket|csrf|encryption-key|^sshkeys$|^keys$|^token$|^input-data$|^webauthn/i;

export function isSecretField(name: string): boolean {
  return SECRET_FIELDS.test(name);
}

/** What is sent in the place of a secret. It is long enough for a password. */
const REPLACED = 'replaced-secret';

const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA replaced';

export function replacedSecret(name: string, status: number): string {
  return name === 'sshkeys' && status === 200 ? encodeURIComponent(PUBLIC_KEY) : REPLACED;
}

/** Every secret that went through: logins, tickets and the values of secret fields. */
export function secretsIn(exchanges: readonly Exchange[]): Set<string> {
  const secrets = new Set<string>();
  for (const exchange of exchanges) {
    for (const header of ['cookie', 'authorization', 'csrfpreventiontoken'])
      addHeader(secrets, exchange.headers[header]);
    addFields(secrets, decodeForm(exchange.query));
    addFields(secrets, parsedBody(exchange));
    addFields(secrets, dataOf(exchange));
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

function addFields(secrets: Set<string>, value: unknown, isSecret = false): void {
  if (typeof value === 'string') {
    if (isSecret) add(secrets, value);
  } else if (Array.isArray(value)) {
    for (const each of value) addFields(secrets, each, isSecret);
  } else if (isRow(value)) {
    const all = isSecret || isSecretRow(value);
    for (const [name, each] of Object.entries(value)) {
      if (name !== 'key') addFields(secrets, each, all || isSecretField(name));
    }
  }
}

/** Whether a row such as `{key: 'sshkeys', value: …}` tells a secret. */
export function isSecretRow(row: Record<string, unknown>): boolean {
  return typeof row['key'] === 'string' && isSecretField(row['key']);
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
  let clean = text.replace(/PVE(?:VNC)?:[^\s"'/]+::[A-Za-z0-9+/=]+/g, '<ticket>');
  for (const secret of secrets) clean = clean.replaceAll(secret, REPLACED);
  return clean;
}

import { fail } from '../../failure';
import { unescapePercent } from '../../wire/percent';

const KEY_TYPES = new Set([
  'ssh-rsa',
  'ssh-dss',
  'ssh-ed25519',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
]);

/** Fails unless every line of the percent-encoded text is a public key. Options in front of a key are allowed. */
export function checkSshKeys(encoded: string): void {
  const lines = unescapePercent(encoded)
    .split('\n')
    .filter(line => line.trim() !== '');
  if (!lines.every(isPublicKey)) fail('SSH public key validation error');
}

function isPublicKey(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const at = words.findIndex(word => KEY_TYPES.has(word));
  const type = words[at];
  const data = words[at + 1];
  if (type === undefined || data === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false;
  const fields = fieldsOf(Buffer.from(data, 'base64'));
  return fields !== undefined && fields.length > 1 && fields[0]?.toString() === type && isWhole(type, fields);
}

/** The length-prefixed fields of a key; undefined when they do not fill it exactly. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const length = blob.readUInt32BE(at);
    if (at + 4 + length > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

function isWhole(type: string, fields: Buffer[]): boolean {
  if (type === 'ssh-ed25519') return fields.length === 2 && fields[1]?.length === 32;
  // ssh-keygen refuses RSA below 1024 bits
  if (type === 'ssh-rsa') return fields.length === 3 && (fields[2]?.length ?? 0) >= 128;
  return true;
}

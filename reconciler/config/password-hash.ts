import { createHash, randomInt } from 'node:crypto';

const LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DEFAULT_ROUNDS = 5000;

/**
 * The hash of a password as crypt(3) writes it, `$6$salt$…`: what Proxmox stores as it is and cloud-init takes.
 * Without `salt` a random one; `salt` may begin with `rounds=n$`.
 */
export function sha512Crypt(password: string, salt: string = randomSalt()): string {
  const [, given, said = ''] = /^(?:rounds=(\d+)\$)?([^$]*)/.exec(salt) ?? [];
  const rounds = given === undefined ? DEFAULT_ROUNDS : Math.min(999_999_999, Math.max(1000, Number(given)));
  const key = Buffer.from(password, 'utf8');
  const seed = Buffer.from(said.slice(0, 16), 'utf8');
  const prefix = given === undefined ? '' : `rounds=${rounds}$`;
  return `$6$${prefix}${seed.toString()}$${encoded(digestOf(key, seed, rounds))}`;
}

/** Steps 1 to 21 of the algorithm that glibc published for SHA-crypt. */
function digestOf(key: Buffer, salt: Buffer, rounds: number): Buffer {
  const second = hash(key, salt, key);
  const mixed: Buffer[] = [key, salt, stretched(second, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) mixed.push((bits & 1) === 1 ? second : key);
  let digest = hash(...mixed);
  const keys = stretched(hash(...repeated(key, key.length)), key.length);
  const salts = stretched(hash(...repeated(salt, 16 + (digest[0] ?? 0))), salt.length);
  for (let round = 0; round < rounds; round += 1) {
    const odd = round % 2 === 1;
    const parts = [odd ? keys : digest];
    if (round % 3 !== 0) parts.push(salts);
    if (round % 7 !== 0) parts.push(keys);
    parts.push(odd ? digest : keys);
    digest = hash(...parts);
  }
  return digest;
}

function hash(...parts: Buffer[]): Buffer {
  return createHash('sha512').update(Buffer.concat(parts)).digest();
}

function repeated(part: Buffer, times: number): Buffer[] {
  return Array.from({ length: times }, () => part);
}

/** The digest, over and over, cut at a length. */
function stretched(digest: Buffer, length: number): Buffer {
  return Buffer.concat(repeated(digest, Math.ceil(length / digest.length)), length);
}

/** Three bytes become four letters; the bytes come in the order that crypt(3) fixed: 0 21 42, 22 43 1, 44 2 23, … */
function encoded(digest: Buffer): string {
  const byte = (index: number): number => digest[index] ?? 0;
  let text = '';
  let group = [0, 21, 42];
  for (let done = 0; done < 21; done += 1) {
    const [first = 0, second = 0, third = 0] = group;
    text += letters((byte(first) << 16) | (byte(second) << 8) | byte(third), 4);
    group = [second + 1, third + 1, first + 1];
  }
  return text + letters(byte(63), 2);
}

function letters(value: number, count: number): string {
  return Array.from({ length: count }, (_, index) => LETTERS[(value >> (6 * index)) & 63]).join('');
}

function randomSalt(): string {
  return Array.from({ length: 16 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

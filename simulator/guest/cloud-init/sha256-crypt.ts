import { createHash } from 'node:crypto';

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROUNDS = 5000;

const sha256 = (...parts: Buffer[]): Buffer => {
  const hash = createHash('sha256');
  parts.forEach(part => hash.update(part));
  return hash.digest();
};

/** Repeats 32 bytes to the given length. */
function stretch(block: Buffer, length: number): Buffer {
  return Buffer.alloc(length, block);
}

/** The `$5$` hash of a password, as crypt(3) makes it with the usual number of rounds. */
export function sha256Crypt(password: string, salt: string): string {
  const key = Buffer.from(password);
  const seasoning = Buffer.from(salt.slice(0, 16));
  let digest = firstDigest(key, seasoning);
  const p = stretch(sha256(...Array.from({ length: key.length }, () => key)), key.length);
  const repeats = 16 + (digest[0] ?? 0);
  const s = stretch(sha256(...Array.from({ length: repeats }, () => seasoning)), seasoning.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const parts = [round % 2 ? p : digest];
    if (round % 3) parts.push(s);
    if (round % 7) parts.push(p);
    parts.push(round % 2 ? digest : p);
    digest = sha256(...parts);
  }
  return `$5$${seasoning.toString()}$${encode(digest)}`;
}

function firstDigest(key: Buffer, salt: Buffer): Buffer {
  const inner = sha256(key, salt, key);
  const parts = [key, salt, stretch(inner, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? inner : key);
  return sha256(...parts);
}

/** The digest in crypt's own base 64: groups of three bytes that stand ten apart, then the last two. */
function encode(digest: Buffer): string {
  const byte = (index: number): number => digest[index] ?? 0;
  let text = '';
  for (let group = 0; group < 10; group += 1) {
    const first = (group * 21) % 30;
    text += letters([byte(first), byte((first + 10) % 30), byte((first + 20) % 30)], 4);
  }
  return text + letters([0, byte(31), byte(30)], 3);
}

function letters([high = 0, middle = 0, low = 0]: number[], count: number): string {
  let bits = (high << 16) | (middle << 8) | low;
  let text = '';
  for (let index = 0; index < count; index += 1) {
    text += ALPHABET[bits & 63];
    bits >>= 6;
  }
  return text;
}

import type { Cursor } from './cursor';
import { charAt, isDigit, refuse, skip } from './cursor';
import { readNumber } from './number';
import { readString } from './string';

const MAX_DEPTH = 512;
const TOO_DEEP = 'json text or perl structure exceeds maximum nesting level (max_depth set too low?)';
const BLANKS = ' \t\n\r';
const WORDS: Record<string, [string, unknown]> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * The value of a JSON text, read byte by byte as Proxmox's decoder reads it (Perl's JSON::XS 4, XS.xs).
 * Throws a `JsonError` with that decoder's words.
 */
export function readJson(bytes: Buffer): unknown {
  const cursor: Cursor = { bytes, at: 0 };
  skipBlanks(cursor);
  const value = readValue(cursor, 0);
  skipBlanks(cursor);
  if (cursor.at < bytes.length) refuse(cursor, 'garbage after JSON object');
  return value;
}

function skipBlanks(cursor: Cursor): void {
  while (BLANKS.includes(charAt(cursor))) cursor.at += 1;
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (skip(cursor, '"')) return readString(cursor);
  if (skip(cursor, '[')) return readArray(cursor, depth + 1);
  if (skip(cursor, '{')) return readObject(cursor, depth + 1);
  const char = charAt(cursor);
  if (char === '-' || isDigit(char)) return readNumber(cursor);
  if (char === '(') refuse(cursor, 'malformed JSON string, neither array, object, number, string or atom');
  const [word, value] = WORDS[char] ?? [];
  if (word === undefined)
    refuse(cursor, 'malformed JSON string, neither tag, array, object, number, string or atom');
  if (cursor.bytes.toString('latin1', cursor.at, cursor.at + word.length) !== word)
    refuse(cursor, `'${word}' expected`);
  cursor.at += word.length;
  return value;
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const values: unknown[] = [];
  if (depth > MAX_DEPTH) refuse(cursor, TOO_DEEP);
  skipBlanks(cursor);
  if (skip(cursor, ']')) return values;
  do values.push(readValue(cursor, depth));
  while (hasNext(cursor, ']', ', or ] expected while parsing array'));
  return values;
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const values: [string, unknown][] = [];
  if (depth > MAX_DEPTH) refuse(cursor, TOO_DEEP);
  skipBlanks(cursor);
  if (skip(cursor, '}')) return {};
  do values.push(readPair(cursor, depth));
  while (hasNext(cursor, '}', ', or } expected while parsing object/hash'));
  return Object.fromEntries(values);
}

function readPair(cursor: Cursor, depth: number): [string, unknown] {
  if (!skip(cursor, '"')) refuse(cursor, `'"' expected`);
  const key = readString(cursor);
  skipBlanks(cursor);
  if (!skip(cursor, ':')) refuse(cursor, "':' expected");
  skipBlanks(cursor);
  return [key, readValue(cursor, depth)];
}

/** Whether another element follows; goes to it, or behind the end. */
function hasNext(cursor: Cursor, end: string, otherwise: string): boolean {
  skipBlanks(cursor);
  if (skip(cursor, end)) return false;
  if (!skip(cursor, ',')) refuse(cursor, otherwise);
  skipBlanks(cursor);
  return true;
}

import type { Cursor } from './cursor';
import { charAt, refuse } from './cursor';

const ESCAPES: Record<string, string> = {
  '\\': '\\',
  '/': '/',
  '"': '"',
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
};

/** Reads a string whose first quote has been read. */
export function readString(cursor: Cursor): string {
  let text = '';
  for (;;) {
    const byte = cursor.bytes[cursor.at] ?? 0;
    if (byte === 0x22) {
      cursor.at += 1;
      return text;
    }
    if (byte === 0x5c) text += readEscape(cursor);
    else if (byte >= 0x80) text += readCharacter(cursor, byte);
    else if (byte >= 0x20) {
      text += String.fromCharCode(byte);
      cursor.at += 1;
    } else if (byte === 0) refuse(cursor, 'unexpected end of string while parsing JSON string');
    else refuse(cursor, 'invalid character encountered while parsing JSON string');
  }
}

/** Reads a character of several bytes. */
function readCharacter(cursor: Cursor, lead: number): string {
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
  const isWhole = bytes.length === length && lead >= 0xc2 && lead < 0xf5;
  if (!isWhole || bytes.subarray(1).some(byte => (byte & 0xc0) !== 0x80))
    refuse(cursor, 'malformed UTF-8 character in JSON string');
  cursor.at += length;
  return bytes.toString('utf8');
}

function readEscape(cursor: Cursor): string {
  cursor.at += 1;
  const char = charAt(cursor);
  if (char === 'u') {
    cursor.at += 1;
    return readCodePoint(cursor);
  }
  const plain = ESCAPES[char];
  if (plain === undefined) {
    // the decoder goes back to the backslash
    cursor.at -= 1;
    refuse(cursor, 'illegal backslash escape sequence in string');
  }
  cursor.at += 1;
  return plain;
}

function readCodePoint(cursor: Cursor): string {
  const high = readHex(cursor);
  if (high < 0xd800 || high >= 0xe000) return String.fromCharCode(high);
  if (high >= 0xdc00) refuse(cursor, 'missing high surrogate character in surrogate pair');
  if (cursor.bytes.toString('latin1', cursor.at, cursor.at + 2) !== '\\u')
    refuse(cursor, 'missing low surrogate character in surrogate pair');
  cursor.at += 2;
  const low = readHex(cursor);
  if (low < 0xdc00 || low >= 0xe000) refuse(cursor, 'surrogate pair expected');
  return String.fromCharCode(high, low);
}

function readHex(cursor: Cursor): number {
  const digits = cursor.bytes.toString('latin1', cursor.at, cursor.at + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) refuse(cursor, 'exactly four hexadecimal digits expected');
  cursor.at += 4;
  return parseInt(digits, 16);
}

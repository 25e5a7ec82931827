import type { Cursor } from './cursor';
import { charAt, isDigit, refuse, skip } from './cursor';

/** Reads a number. A whole number that is too large to be exact stays text, as Perl keeps it. */
export function readNumber(cursor: Cursor): number | string {
  const start = cursor.at;
  skip(cursor, '-');
  if (skip(cursor, '0')) {
    if (isDigit(charAt(cursor)))
      refuse(cursor, 'malformed number (leading zero must not be followed by another digit)');
  } else digits(cursor, 'no digits after initial minus');
  const whole = !fraction(cursor);
  const text = cursor.bytes.toString('latin1', start, cursor.at);
  const value = Number(text);
  return whole && !Number.isSafeInteger(value) ? text : value;
}

/** Reads what makes a number no whole one; false where there is nothing of that. */
function fraction(cursor: Cursor): boolean {
  const start = cursor.at;
  if (skip(cursor, '.')) digits(cursor, 'no digits after decimal point');
  if (skip(cursor, 'e') || skip(cursor, 'E')) {
    if (!skip(cursor, '-')) skip(cursor, '+');
    digits(cursor, 'no digits after exp sign');
  }
  return cursor.at > start;
}

function digits(cursor: Cursor, otherwise: string): void {
  if (!isDigit(charAt(cursor))) refuse(cursor, `malformed number (${otherwise})`);
  while (isDigit(charAt(cursor))) cursor.at += 1;
}

import { readFileSync } from 'node:fs';
import { InputError } from '../errors';

/** The text of a file that a person named. The error says which one cannot be read, and why. */
export function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new InputError(`${file} cannot be read (${code}).`);
  }
}

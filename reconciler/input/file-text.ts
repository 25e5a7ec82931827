import { readFileSync } from 'node:fs';
import { InputError } from '../errors';

/** The text of a file that a person named. The error says which one cannot be read, and why. */
export function fileText(file: string): string {
  const bytes = onFile(
    () => readFileSync(file),
    code => `${file} cannot be read (${code}). ${NAME_ANOTHER}`,
  );
  return utf8Text(bytes, file);
}

const ZIP = 'PK\u0003\u0004';

/** Bytes as text. Throws where they are no UTF-8: other letters than those that were meant would be written. */
export function utf8Text(bytes: Buffer, what: string): string {
  const text = bytes.toString('utf8');
  const again = Buffer.from(text, 'utf8');
  // a zip archive is no letters at all: the review says what a plan that Terraform saved so is
  if (again.equals(bytes) || text.startsWith(ZIP)) return text;
  const end = bytes.findIndex((byte, index) => byte !== again[index]);
  const line = bytes.subarray(0, end).toString('utf8').split('\n').length;
  throw new InputError(`${what} is no text in UTF-8: line ${line} holds other bytes. Save it as UTF-8.`);
}

/** What to do about a file or a folder that cannot be read. */
export const NAME_ANOTHER = 'Name one that is there and that this user may read.';

/** What is done with files. Where the system refuses it, the error says so with the system's own code. */
export function onFile<T>(work: () => T, says: (code: string) => string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new InputError(says(String(error.code)));
  }
}

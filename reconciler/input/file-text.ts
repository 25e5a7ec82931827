import { readFileSync } from 'node:fs';
import { InputError } from '../errors';

/** The text of a file that a person named. The error says which one cannot be read, and why. */
export function fileText(file: string): string {
  return onFile(
    () => readFileSync(file, 'utf8'),
    code => `${file} cannot be read (${code}). ${NAME_ANOTHER}`,
  );
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

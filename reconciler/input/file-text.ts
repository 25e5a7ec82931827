import { readdir, stat } from 'node:fs/promises';
import { answered } from '../config/answered';
import { MOST_TEXT_BYTES, readNamed } from '../config/named-file';
import { InputError } from '../errors';

/** The text of a file that a person named. The error says which one cannot be read, and why. */
export async function fileText(file: string, mostBytes: number = MOST_TEXT_BYTES): Promise<string> {
  return utf8Text(await readable(file, () => readNamed(file, mostBytes)), file);
}

/** The names in a folder, sorted. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readable(folder, () => answered(folder, () => readdir(folder)))).sort();
}

/** True where a folder is; false where a file is, or nothing. */
export async function isFolder(place: string): Promise<boolean> {
  const found = await answered(place, () => stat(place).catch(() => undefined));
  return found?.isDirectory() === true;
}

async function readable<T>(place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    return onFile(
      () => {
        throw error;
      },
      code => `${place === '' ? 'a file without a name' : place} cannot be read (${code}). ${NAME_ANOTHER}`,
    );
  }
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
const NAME_ANOTHER = 'Name one that is there and that this user may read.';

/** What is done with files. Where the system refuses it, the error says so with the system's own code. */
export function onFile<T>(work: () => T, says: (code: string) => string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new InputError(says(String(error.code)));
  }
}

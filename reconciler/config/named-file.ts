import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { InputError } from '../errors';
import { answered, HangingError } from './answered';

/** A specification of 10,000 machines has 3 to 12 MiB. */
export const MOST_TEXT_BYTES = 64 * 2 ** 20;
/** Nobody's secret or certificate is larger. */
export const MOST_SECRET_BYTES = 2 ** 20;
/** What Terraform says of 10,000 machines as JSON: `review` reads it. */
export const MOST_PLAN_BYTES = 400 * 2 ** 20;

const PART = 2 ** 18;
/** Opening a pipe waits for its other end, for ever, but with this. */
const OPEN = constants.O_RDONLY | constants.O_NONBLOCK;

/** A file that is there and is not read; `why` follows its name in a sentence. */
export class UnfitFileError extends InputError {
  constructor(
    file: string,
    readonly why: string,
  ) {
    super(`${file} ${why}`);
  }
}

/** The bytes of a regular file that a person named. Never reads more than `most`, nor waits for a mount that hangs. */
export function readNamed(file: string, most: number): Promise<Buffer> {
  return answered(file, async () => {
    refuseUnfit(file, await stat(file), most);
    const handle = await open(file, OPEN);
    try {
      // another one may have taken its place
      refuseUnfit(file, await handle.stat(), most);
      const parts: Buffer[] = [];
      for (let bytes = 0; ;) {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PART), 0, PART);
        if (bytesRead === 0) return Buffer.concat(parts);
        bytes += bytesRead;
        if (bytes > most) throw tooLarge(file, bytes, most);
        parts.push(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  });
}

/** The same at once, for small files of the configuration. On a mount that hangs it waits. */
export function readNamedNow(file: string, most: number = MOST_SECRET_BYTES): Buffer {
  refuseUnfit(file, statSync(file), most);
  const descriptor = openSync(file, OPEN);
  try {
    refuseUnfit(file, fstatSync(descriptor), most);
    const bytes = Buffer.alloc(most + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length <= most; length += more)
      more = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (length > most) throw tooLarge(file, length, most);
    return Buffer.from(bytes.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}

/** Throws where one of these is on a mount that hangs. Of any other that cannot be read, its reader tells. */
export async function refuseHanging(files: Iterable<string>): Promise<void> {
  for (const file of new Set(files)) {
    try {
      await readNamed(file, MOST_SECRET_BYTES);
    } catch (error) {
      if (error instanceof HangingError) throw error;
    }
  }
}

const KINDS: readonly [is: (found: Stats) => boolean, what: string][] = [
  [found => found.isFIFO(), 'is a pipe'],
  [found => found.isSocket(), 'is a socket'],
  [found => found.isCharacterDevice() || found.isBlockDevice(), 'is a device'],
];

function refuseUnfit(file: string, found: Stats, most: number): void {
  const kind = KINDS.find(([is]) => is(found))?.[1];
  if (kind !== undefined)
    throw new UnfitFileError(
      file,
      `${kind}, and only regular files are read. Write what it gives to a file.`,
    );
  if (found.isFile() && found.size > most) throw tooLarge(file, found.size, most);
}

function tooLarge(file: string, bytes: number, most: number): UnfitFileError {
  return new UnfitFileError(
    file,
    `holds at least ${bytes} bytes, and no more than ${most} are read. Name the file that is meant, or divide it.`,
  );
}

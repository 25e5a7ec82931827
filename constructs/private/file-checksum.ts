import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

const PART = 1 << 20;

/** The checksum of a file as it is now, as `sha256:digits`. Never holds the whole file. Throws where it cannot be read. */
export function fileChecksum(path: string): string {
  try {
    return `sha256:${digestOf(path)}`;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The disk image ${path} cannot be read: ${why}. Give its path on this machine, or its checksum: then it is first read at apply.`,
      { cause },
    );
  }
}

function digestOf(path: string): string {
  const found = statSync(path);
  // opening a pipe waits for its other end; of a folder the read says so
  if (!found.isFile() && !found.isDirectory())
    throw new Error('it is a pipe or a device, and no regular file');
  const hash = createHash('sha256');
  const part = Buffer.alloc(PART);
  const file = openSync(path, 'r');
  try {
    for (let length = readSync(file, part); length > 0; length = readSync(file, part)) {
      hash.update(part.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

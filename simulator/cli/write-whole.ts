import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A name beside a file that nobody can guess, so nobody can put a link there. */
const besides = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.new`;

/** Writes a file so that a reader sees the old one or the new one, never a part. */
export function writeWhole(path: string, content: string, mode = 0o600): void {
  withNew(path, content, mode, own => renameSync(own, path));
}

/** Writes all of a new file or nothing; one that is there stays, and the write fails with EEXIST. */
export function writeNew(path: string, content: string): void {
  withNew(path, content, 0o600, own => {
    try {
      linkSync(own, path);
    } catch (error) {
      // some file systems have no links
      if (isThere(error)) throw error;
      copyFileSync(own, path, constants.COPYFILE_EXCL);
    }
  });
}

export const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

function withNew(path: string, content: string, mode: number, place: (own: string) => void): void {
  const own = besides(path);
  try {
    writeFileSync(own, content, { flag: 'wx', mode });
    place(own);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Fails when no file can be made there. */
export function tryToWrite(path: string): void {
  withNew(path, '', 0o600, () => undefined);
}

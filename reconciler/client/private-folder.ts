import { lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';

/** What nobody but the owner may do. */
const OTHERS_MAY = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Whether a folder is there, or was made now, that is ours and of nobody else; nor can another put one in its place. */
export function isPrivate(folder: string, user: number): boolean {
  const parent = statSync(path.dirname(folder));
  const isOurs = parent.uid === user || parent.uid === 0;
  if (!isOurs || ((parent.mode & OTHERS_WRITE) !== 0 && (parent.mode & STICKY) === 0)) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // there already, or it cannot be made: the next look tells
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isOfUserAlone(found, user);
}

/** Whether a file or folder is this user's, and nobody else may read or write it. */
export function isOfUserAlone({ uid, mode }: Stats, user: number | undefined): boolean {
  return uid === user && (mode & OTHERS_MAY) === 0;
}

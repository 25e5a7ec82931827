import path from 'node:path';
import { isFolder, namesIn } from '../../input/file-text';
import { foldersIn, LOST_AND_FOUND } from '../../input/manifest-files';

/**
 * A folder of these places, or in one of them, in which nothing is but hidden folders: the place of a mount that is away looks
 * so, and that of a clone that has just begun. Else its machines would pass for machines that left. A hidden file counts: Git
 * keeps an empty folder by one.
 */
export async function emptyFolder(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    if (!(await isFolder(place))) continue;
    for (const folder of await foldersIn(place)) if (await holdsNothing(folder)) return folder;
  }
  return undefined;
}

async function holdsNothing(folder: string): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    if (name === LOST_AND_FOUND) continue;
    if (!name.startsWith('.') || !(await isFolder(path.join(folder, name)))) return false;
  }
  return true;
}

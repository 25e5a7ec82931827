import { isFolder, namesIn } from '../../input/file-text';
import { foldersIn } from '../../input/manifest-files';

/**
 * A folder of these places, or in one of them, in which nothing is, not even a hidden file: the place of a mount that is away
 * looks so, and its machines would pass for machines that left.
 */
export async function emptyFolder(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    if (!(await isFolder(place))) continue;
    for (const folder of await foldersIn(place)) if ((await namesIn(folder)).length === 0) return folder;
  }
  return undefined;
}

import { isFolder, namesIn } from '../../input/file-text';
import { foldersIn, LOST_AND_FOUND } from '../../input/manifest-files';

/**
 * A folder of these places, or in one of them, in which nothing is but hidden names: the place of a mount that is away looks
 * so, and that of a clone that has just begun. Else its machines would pass for machines that left.
 */
export async function emptyFolder(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    if (!(await isFolder(place))) continue;
    for (const folder of await foldersIn(place))
      if ((await namesIn(folder)).every(name => name === LOST_AND_FOUND || name.startsWith('.')))
        return folder;
  }
  return undefined;
}

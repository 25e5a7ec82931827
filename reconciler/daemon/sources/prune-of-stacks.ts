import { InputError } from '../../errors';
import { isFolder } from '../../input/file-text';
import type { Options } from '../../input/surroundings';

/**
 * Of a stack, machines are left out of which only Terraform knows a part: they would look as if they had left. Asked at each
 * reading, as a folder may come in the place of a file.
 */
export async function refusePruneOfStacks({ prune, spec = [] }: Options): Promise<void> {
  if (prune !== true) return;
  let folder: string | undefined;
  for (const each of spec) if (each !== '-' && (await isFolder(each))) folder ??= each;
  if (folder === undefined) return;
  throw new InputError(
    `--prune cannot be used with the folder of a stack (${folder}): Terraform destroys its machines. Remove --prune, or give a file.`,
  );
}

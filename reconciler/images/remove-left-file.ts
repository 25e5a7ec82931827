import type { ObservedCluster } from '../observed';
import { deleteVolume, type Pve, type TaskWait } from '../pve';
import { usersOfFiles, type KeptFile } from './file-users';

/** A guest that was destroyed is not read any more; one that took its number is. */
const NOBODY: ReadonlySet<number> = new Set();

/**
 * Removes a file that was found left, unless somebody uses it by now or may: then why it stays is told. All guests and
 * tasks are read directly before the delete. One that is gone is done.
 */
export async function removeLeftFile(
  file: KeptFile,
  cluster: ObservedCluster,
  { pve, needQuorum, wait }: { pve: Pve; needQuorum: () => Promise<void>; wait: TaskWait },
): Promise<string | undefined> {
  await needQuorum();
  const { users, unread } = await usersOfFiles(pve, cluster, [file], NOBODY);
  const now = users.flat();
  if (now.length > 0) return `it is used by now: ${now.join(', ')}`;
  if (unread.length > 0)
    return `who uses it is not known: ${unread.join(' and ')} could not be listed. Running again is safe`;
  await deleteVolume(pve, file.node, file.volume, wait);
  return undefined;
}

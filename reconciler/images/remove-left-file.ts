import type { ObservedCluster } from '../observed';
import { deleteVolume, type Pve, type TaskWait } from '../pve';
import { usersOfFiles, type Going, type KeptFile } from './file-users';

/**
 * Removes a file that was found left, unless somebody uses it by now: who does is told, in words. The reading of all
 * guests and of the quorum is directly before the delete. One that is gone is done.
 */
export async function removeLeftFile(
  file: KeptFile,
  cluster: ObservedCluster,
  going: Going,
  { pve, needQuorum, wait }: { pve: Pve; needQuorum: () => Promise<void>; wait: TaskWait },
): Promise<string[]> {
  await needQuorum();
  const [users = []] = await usersOfFiles(pve, cluster, [file], going);
  if (users.length === 0) await deleteVolume(pve, file.node, file.volume, wait);
  return users;
}

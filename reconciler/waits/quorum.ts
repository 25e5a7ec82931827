import type { ClusterReads } from '../observe/cluster-reads';
import { PveError } from '../pve';

const PATH = '/cluster/status';

/** Throws where the cluster has no quorum: Proxmox then does half of what it is asked, and destroys disks before it fails. */
export function needQuorum(quorate: boolean | undefined): void {
  if (quorate !== false) return;
  throw new PveError('no-quorum', {
    method: 'GET',
    path: PATH,
    text: 'the cluster has no quorum, nothing was sent',
  });
}

/** The same, as the cluster says now. A caller who may not ask goes on. */
export async function needQuorumNow({ status }: ClusterReads): Promise<void> {
  needQuorum((await status.soon())?.quorate);
}

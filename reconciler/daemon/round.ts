import type { ClusterReading } from '../run/cluster-reading';
import type { Shared } from '../run/run';
import type { SourcedState } from '../run/wanted';
import { isSameProxmox, type WhichProxmox } from '../run/which-proxmox';
import type { MachineRecord } from './machine-record';
import type { Records } from './records';

/** One reading of the cluster, and whom it is for: all, or those whose pause is over. */
export interface Round {
  shared: Shared;
  reading: ClusterReading;
  isFull: boolean;
  /** Undefined: nobody asks which one it is. */
  proxmox: WhichProxmox | undefined;
}

/** The machines of a desired state that are to be looked at in this round. */
export function dueIn(
  { owner, machines, boundTo }: SourcedState,
  records: Records,
  { isFull, proxmox }: Pick<Round, 'isFull' | 'proxmox'>,
): MachineRecord[] {
  const now = Date.now();
  return machines.flatMap(({ id }) => {
    const bound = boundTo?.get(id);
    const record = records.of(owner, id);
    if (record === undefined || !(isFull ? record.isFree(now) : record.isDue(now))) return [];
    if (bound === undefined || (proxmox !== undefined && isSameProxmox(bound, proxmox))) return [record];
    // whoever wants it there hears which one answers, and says something else
    record.isNews = false;
    return [];
  });
}

import type { Report } from '../event';
import type { ClusterReading } from '../run/cluster-reading';
import { Run } from '../run/run';
import type { Shared } from '../run/shared';
import type { SourcedState } from '../run/wanted';
import { isSameProxmox, readProxmoxIdentity, type ProxmoxIdentity } from '../run/proxmox-identity';
import type { MachineRecord } from './machine-record';
import type { Records } from './records';
import type { DesiredSource } from './sources/desired-source';
import type { Turn } from './next-machine';

/** One reading of the cluster, and whom it is for: all, or those that need not wait for a round of all. */
export interface Round {
  /** When it began, by the clock that only goes on: the time of day may be set. */
  began: number;
  shared: Shared;
  reading: ClusterReading;
  isFull: boolean;
  /** Undefined: nobody asks which one it is. */
  proxmox: ProxmoxIdentity | undefined;
}

/** What its runs are given beside the reading. */
interface RoundInput {
  records: Records;
  reportFor: (owner: string) => Report;
  signal: AbortSignal;
  preferredNodes: readonly string[];
  /** Whether the credentials that it began with are those of now. */
  isCurrent: () => boolean;
}

/** Which Proxmox this is, where whoever says what is wanted asks for that. */
export async function whichOne(
  requester: DesiredSource['requester'],
  shared: Shared,
  reading: ClusterReading,
): Promise<ProxmoxIdentity | undefined> {
  if (requester === undefined) return undefined;
  const proxmox = await readProxmoxIdentity(shared, reading.cluster.nodes);
  requester.answers(shared.clusterSpec, proxmox);
  return proxmox;
}

/** The machines that a round is for, with a run for each desired state. */
export function turnsIn(round: Round, states: readonly SourcedState[], given: RoundInput): Turn[] {
  const { shared, reading } = round;
  return states.flatMap(state => {
    const { owner, machines, nodes } = state;
    const due = dueIn(round, state, given.records);
    if (due.length === 0) return [];
    const run = new Run(shared, {
      report: given.reportFor(owner),
      signal: given.signal,
      fleet: { owner, machines, nodes },
      preferredNodes: given.preferredNodes,
      reading,
    });
    const part = { state, run, isCurrent: given.isCurrent };
    return due.map(record => ({ record, part }));
  });
}

function dueIn(
  { isFull, proxmox }: Round,
  { owner, machines, boundTo }: SourcedState,
  records: Records,
): MachineRecord[] {
  const now = performance.now();
  return machines.flatMap(({ id }) => {
    const bound = boundTo?.get(id);
    const record = records.of(owner, id);
    if (record === undefined || !(isFull ? record.isFree(now) : record.isDue(now))) return [];
    if (bound === undefined || (proxmox !== undefined && isSameProxmox(bound, proxmox))) return [record];
    // whoever wants it there hears which one answers, and says something else
    record.isNotForUs();
    return [];
  });
}

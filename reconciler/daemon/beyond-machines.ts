import type { ProxmoxIdentity } from '../run/proxmox-identity';
import type { ClusterReading } from '../run/cluster-reading';
import type { Orphan } from '../run/reads/orphans';
import type { Shared } from '../run/shared';
import type { SourcedState } from '../run/wanted';
import type { DaemonShared, Attempts } from './attempts';
import type { Namesakes } from '../run/reads/namesakes';
import { Pruning } from './pruning';
import { Removals } from './removals';

/** One reading of the cluster. */
interface ClusterRead {
  shared: Shared;
  reading: ClusterReading;
  proxmox: ProxmoxIdentity | undefined;
}

/** Looks at what leaves, and at what nobody asks for, beside the machines that are wanted. */
export class BeyondMachines {
  orphans: Orphan[] = [];
  private states: readonly SourcedState[] = [];
  private readonly pruning: Pruning;
  private readonly removals: Removals;
  private latest: ClusterRead | undefined;
  private looking: Promise<void> = Promise.resolve();
  private looks = 0;

  constructor(
    private readonly cluster: string,
    private readonly around: DaemonShared,
    attempts: Attempts,
    private readonly failed: (error: unknown) => void,
  ) {
    this.pruning = new Pruning(cluster, around, attempts);
    this.removals = new Removals(cluster, around, attempts);
  }

  want(states: readonly SourcedState[], namesakes: Namesakes): void {
    this.states = states;
    this.pruning.want(states, namesakes);
  }

  /** Looks when the look before has ended; with the latest reading only. */
  look(read: ClusterRead): void {
    this.latest = read;
    this.looks += 1;
    this.looking = this.looking
      .then(() => this.lookWith(read))
      .catch(this.failed)
      .finally(() => void (this.looks -= 1));
  }

  get isIdle(): boolean {
    return this.looks === 0;
  }

  ended(): Promise<void> {
    return this.looking;
  }

  private async lookWith(read: ClusterRead): Promise<void> {
    const { signal, sources } = this.around;
    if (read !== this.latest || signal.aborted) return;
    const { shared, reading, proxmox } = read;
    await this.removals.begin(shared, reading.cluster.nodes, proxmox);
    const also = sources.requester?.alsoAsked(this.cluster) ?? [];
    this.orphans = await this.pruning.look(shared, reading, [...this.states, ...also]);
  }
}

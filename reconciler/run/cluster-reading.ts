import { NodeLists } from '../observe/node-lists';
import { NOT_READ, downNodes, listedGuests, observeCluster, observeNodes } from '../observe/cluster';
import type { SharedReads } from '../observe/shared-reads';
import { proofOf } from '../observe/proof';
import { guestWithId } from '../observe/tagged-guests';
import type { ListedGuest, ObservedCluster } from '../observed';
import { readSnapshot, type GuestAddress, type Pve } from '../pve';

/** How long it is believed where the disks of a template are: Proxmox judges each clone itself. */
const TEMPLATE_MS = 15_000;

/**
 * The cluster as a run last read it. It changes while the run goes on: ask for `cluster` and `nodeLists` again after
 * anything that was waited for.
 */
export class ClusterReading {
  private refreshing: Promise<void> | undefined;
  private learning: Promise<void> = Promise.resolve();
  private last: { cluster: ObservedCluster; nodeLists: NodeLists };

  private left: ReadonlySet<string> = new Set();

  /** Nothing is read before the first `refresh`. */
  constructor(
    private readonly pve: Pve,
    private readonly reads: SharedReads,
    /** Whether the run writes nothing: then a name that the listing tells is believed. */
    private readonly onlyReads = false,
  ) {
    this.last = { cluster: NOT_READ, nodeLists: new NodeLists(pve, NOT_READ) };
  }

  get cluster(): ObservedCluster {
    return this.last.cluster;
  }

  /** The guests as their nodes list them. */
  get nodeLists(): NodeLists {
    return this.last.nodeLists;
  }

  /** Reads the cluster again. Whoever asks while that is being done waits for the same reading. */
  async refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => (this.refreshing = undefined));
    await this.refreshing;
  }

  /** Takes these nodes for offline from now on, whatever the cluster says: nothing is asked of them any more. */
  leaveOut(nodes: readonly string[]): void {
    this.left = new Set([...this.left, ...nodes]);
    this.last = { ...this.last, cluster: this.withoutLeft(this.last.cluster) };
  }

  /** The nodes that `leaveOut` was given. */
  get leftOut(): ReadonlySet<string> {
    return this.left;
  }

  private withoutLeft(cluster: ObservedCluster): ObservedCluster {
    if (this.left.size === 0) return cluster;
    const nodes = cluster.nodes.map(node => (this.left.has(node.name) ? { ...node, online: false } : node));
    return { ...cluster, nodes };
  }

  /**
   * Reads bridges and storages of some nodes, once each, however many machines ask for them at once. Storages `as
   * listed` need no request of their own: enough to say that a machine fits, never that it does not.
   */
  async learn(names: string[], storages: 'as read' | 'as listed' = 'as read'): Promise<void> {
    const learning = this.learning.then(async () => {
      let read: typeof this.last;
      let learned: ObservedCluster;
      do {
        read = this.last;
        learned = await observeNodes(this.pve, read.cluster, names, storages);
        // a newer reading that came meanwhile knows better which nodes are there
      } while (read !== this.last);
      this.last = { ...read, cluster: learned };
    });
    this.learning = learning.catch(() => undefined);
    await learning;
  }

  /** The guests as a listing shows them that begins after this call. All who ask meanwhile share the next one. */
  async listNow(): Promise<ListedGuest[]> {
    return listedGuests(await this.reads.resources.soon());
  }

  /** The guests as the last listing shows them, where it began at this time of `performance.now()` or later. */
  async listedSince(time: number): Promise<ListedGuest[] | undefined> {
    const last = await this.reads.resources.lastSince(time);
    return last && listedGuests(last);
  }

  /** Guests, and the nodes that are down, as a listing of the last second shows them: to find things with. */
  async listRecently(): Promise<{ guests: ListedGuest[]; downNodes: string[] }> {
    const listed = await this.reads.resources.recent();
    return { guests: listedGuests(listed), downNodes: downNodes(listed) };
  }

  /** The configuration of what is cloned, as it was in the last second, and that of a template in the last fifteen. */
  async configOf(source: GuestAddress): Promise<Record<string, string>> {
    const config = this.reads.configOf(source);
    const { current } = await config.recent(TEMPLATE_MS);
    // what is no template may just be made one, and another guest may have its number
    const listed = guestWithId(this.cluster.guests, source.vmid);
    const isSame = listed === undefined || (listed.template && listed.name === current['name']);
    return current['template'] === '1' && isSame ? current : (await config.recent()).current;
  }

  /** The configuration that a snapshot of a guest keeps. */
  snapshotOf(source: GuestAddress, name: string): Promise<Record<string, string>> {
    return readSnapshot(this.pve, source, name);
  }

  /** Whose machine a guest is proven to be. Read anew: it tells the guest from clones of it that have just been made. */
  proofOf(guest: GuestAddress): ReturnType<typeof proofOf> {
    return proofOf(this.pve, guest);
  }

  private async read(): Promise<void> {
    // what was read of bridges and storages is dropped with it: who needs those of a node reads them again
    const cluster = this.withoutLeft(await observeCluster(this.pve, this.reads));
    this.last = { cluster, nodeLists: new NodeLists(this.pve, cluster, this.onlyReads) };
  }
}

import { splitTags } from './observe-cluster';
import type { ListedGuest, ObservedCluster } from './observed';
import type { GuestOnNode, Pve } from './pve';
import { PveError, listGuests } from './pve';

/**
 * The guests of all nodes by their true names. The cluster's listing has no name for the first seconds of a guest,
 * the nodes' own lists have it at once. Read when first asked, once for all machines of a process.
 */
export class NameIndex {
  private guests: Promise<ListedGuest[]> | undefined;

  constructor(
    private readonly pve: Pve,
    private readonly cluster: ObservedCluster,
  ) {}

  /** Guests of this name, and clones that have only a placeholder for a name so far. */
  async find(name: string): Promise<ListedGuest[]> {
    this.guests ??= this.read();
    const guests = await this.guests;
    return guests.filter(
      guest => guest.name === name || (guest.lock === 'clone' && guest.name === `VM ${guest.vmid}`),
    );
  }

  private async read(): Promise<ListedGuest[]> {
    const lists = await Promise.all(
      this.cluster.nodes.filter(({ online }) => online).map(({ name }) => this.readNode(name)),
    );
    return lists.flat();
  }

  private async readNode(node: string): Promise<ListedGuest[]> {
    try {
      return (await listGuests(this.pve, node)).map(row => this.listed(node, row));
    } catch (error) {
      // a node that does not answer: its guests are known from the cluster's listing
      if (!(error instanceof PveError) || error.kind !== 'unreachable') throw error;
      return this.cluster.guests.filter(guest => guest.node === node);
    }
  }

  private listed(node: string, row: GuestOnNode): ListedGuest {
    const known = this.cluster.guests.find(({ vmid }) => vmid === row.vmid);
    return {
      vmid: row.vmid,
      type: 'qemu',
      node,
      name: row.name,
      tags: splitTags(row.tags ?? ''),
      template: row.template === 1,
      power: row.status === 'running' || row.status === 'stopped' ? row.status : 'unknown',
      lock: row.lock,
      pool: known?.pool,
      haManaged: known?.haManaged ?? false,
      memory: known?.memory ?? 0,
    };
  }
}

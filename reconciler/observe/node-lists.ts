import { stillWord } from '../guest/stands-still';
import { splitTags } from '../mark/owner-tag';
import { guestWithId } from './tagged-guests';
import type { GuestPlace } from '../action';
import type { ListedGuest, ObservedCluster } from '../observed';
import { PveError, listGuests, type GuestOnNode, type Pve } from '../pve';

/**
 * The guests of all nodes by their true names. The cluster's listing has no name for the first seconds of a guest,
 * the nodes' own lists have it at once. Each node's list is read when first asked for, once for all machines, until
 * the cluster is read again.
 */
export class NodeLists {
  private readonly lists = new Map<string, Promise<ListedGuest[]>>();
  /** With what qemu says of each guest that runs: that takes Proxmox longer. */
  private readonly fullLists = new Map<string, Promise<ListedGuest[]>>();

  constructor(
    private readonly pve: Pve,
    private readonly cluster: ObservedCluster,
    /** Whether a name that the listing tells is believed: it lags by some seconds. Only for who writes nothing. */
    private readonly onlyReads = false,
  ) {}

  /** Guests of this name, and clones that have only a placeholder for a name so far. */
  async find(name: string): Promise<ListedGuest[]> {
    const isAsked = (guest: ListedGuest): boolean => guest.name === name || isInTheMaking(guest);
    const guests = await (this.onlyReads ? this.onNodesOf(isAsked) : this.all());
    return guests.filter(guest => guest.name === name || (guest.lock === 'clone' && isPlaceholder(guest)));
  }

  /** Begins to read the lists of the nodes that have one of these guests: they are about to be asked for. */
  ahead(guests: readonly ListedGuest[]): void {
    // a failure is told to whoever asks for the list
    for (const { node } of guests) this.fullListOf(node).catch(() => undefined);
  }

  /** The guests of these ids, wherever they are now. */
  async withIds(ids: number[]): Promise<ListedGuest[]> {
    return (await this.all()).filter(({ vmid }) => ids.includes(vmid));
  }

  /** An index that has read nothing yet: for what has moved since. */
  afresh(): NodeLists {
    return new NodeLists(this.pve, this.cluster, this.onlyReads);
  }

  /** A guest as its node lists it now, with whether it stands still; undefined when it is not there. */
  async at({ node, vmid }: GuestPlace): Promise<ListedGuest | undefined> {
    return (await this.fullListOf(node)).find(guest => guest.vmid === vmid);
  }

  /** The virtual machines of all nodes that are online. */
  async all(): Promise<ListedGuest[]> {
    const lists = await Promise.all(
      this.cluster.nodes.filter(({ online }) => online).map(({ name }) => this.listOf(name)),
    );
    return lists.flat();
  }

  private async onNodesOf(isAsked: (guest: ListedGuest) => boolean): Promise<ListedGuest[]> {
    const nodes = new Set(this.cluster.guests.filter(isAsked).map(({ node }) => node));
    const online = this.cluster.nodes.filter(({ name, online: isOnline }) => isOnline && nodes.has(name));
    return (await Promise.all(online.map(({ name }) => this.listOf(name)))).flat();
  }

  private listOf(node: string): Promise<ListedGuest[]> {
    const list = this.fullLists.get(node) ?? this.lists.get(node) ?? this.readNode(node, false);
    this.lists.set(node, list);
    return list;
  }

  private fullListOf(node: string): Promise<ListedGuest[]> {
    const list = this.fullLists.get(node) ?? this.readNode(node, true);
    this.fullLists.set(node, list);
    return list;
  }

  private async readNode(node: string, full: boolean): Promise<ListedGuest[]> {
    try {
      return (await listGuests(this.pve, node, full)).map(row => this.listed(node, row));
    } catch (error) {
      // a node that does not answer: its guests are known from the cluster's listing
      if (!(error instanceof PveError) || error.kind !== 'unreachable') throw error;
      return this.cluster.guests.filter(guest => guest.node === node);
    }
  }

  private listed(node: string, row: GuestOnNode): ListedGuest {
    const still = stillWord(row);
    const known = guestWithId(this.cluster.guests, row.vmid);
    return {
      vmid: row.vmid,
      type: 'qemu',
      node,
      name: row.name,
      tags: splitTags(row.tags ?? ''),
      template: row.template === true,
      power: row.status === 'running' || row.status === 'stopped' ? row.status : 'unknown',
      ...(still !== undefined && { still }),
      lock: row.lock,
      pool: known?.pool,
      haManaged: known?.haManaged ?? false,
      memory: known?.memory ?? 0,
    };
  }
}

/** Whether a guest of the listing is being made or moved, or so young that its name is not told yet. */
export function isInTheMaking({ name, vmid, lock }: Pick<ListedGuest, 'name' | 'vmid' | 'lock'>): boolean {
  return ['clone', 'create', 'migrate'].includes(lock ?? '') || isPlaceholder({ name, vmid });
}

/** Whether Proxmox has no name for a guest yet, and makes one of its id. */
export function isPlaceholder({ name, vmid }: Pick<ListedGuest, 'name' | 'vmid'>): boolean {
  return name === undefined || name === `VM ${vmid}`;
}

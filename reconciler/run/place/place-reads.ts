import { sourceIds, type ClusterSpec, type FleetMachine } from '../../../spec';
import type { GuestPlace, Objection } from '../../action';
import type { ListedGuest, ObservedCluster } from '../../observed';
import { ownerTag } from '../../mark/owner-tag';
import { isOnShared, type ImageSources } from '../../placement/image-reach';
import type { FleetNodes } from '../../placement/fleet-nodes';
import type { Newcomer } from '../../placement/layout';
import { futureGuest } from '../../placement/future-source';
import { futureConfig } from '../../plan/future-config';
import {
  AMBIGUOUS,
  NOT_THERE_YET,
  neverThere,
  noSnapshotYet,
  sourceCandidates,
  taggedAs,
  withMemory,
} from '../../placement/source';
import { isAsListed } from '../../observe/cluster';
import { guestWithId } from '../../observe/tagged-guests';
import { ifSeen } from '../../observe/if-allowed';
import type { ClusterReading } from '../cluster-reading';

/** Reads what the place of a new machine depends on, and nothing twice. */
export class PlaceReads {
  private readonly configs = new Map<string, Promise<Record<string, string>>>();
  private storages: 'as read' | 'as listed';

  constructor(
    private readonly reading: ClusterReading,
    private readonly about: { owner: string; clusterSpec: ClusterSpec },
    private readonly fleet: Pick<FleetNodes, 'find' | 'nodeOf'>,
    believesListing: boolean,
  ) {
    this.storages = believesListing ? 'as listed' : 'as read';
  }

  /**
   * What `look` finds with the storages that the cluster's listing tells; where that would be refused, what it finds
   * once each node has been asked for them.
   */
  async surely<T>(look: () => Promise<T>, isRefused: (found: T) => boolean): Promise<T> {
    const found = await look();
    if (!isRefused(found) || !this.cluster.nodes.some(isAsListed)) return found;
    this.storages = 'as read';
    return look();
  }

  /** A new machine with what it may be made from, for a choice among some nodes; or why there is nothing. */
  async newcomer(machine: FleetMachine, among: readonly string[]): Promise<Newcomer | Objection> {
    const found = await this.sources(machine);
    if ('why' in found) return found;
    const [source] = found.guests;
    // a file that is fetched needs the room that there truly is
    const storages = machine.image?.url === undefined ? this.storages : 'as read';
    await this.reading.learn([...among, ...(source ? [source.node] : [])], storages);
    // what was learned goes with the next reading of the cluster
    const guests = this.onlineFirst(found.guests);
    const sources = found.config ? { ...found, guests } : await this.withConfig(guests, among);
    return { machine: withMemory(machine, guests), sources, among };
  }

  /** The nodes that come before all others: the one that it names; or where its image is, if a clone would have to move. */
  async firstNodes(machine: FleetMachine): Promise<string[]> {
    if (machine.node !== undefined) return [machine.node];
    const all = this.cluster.nodes.map(({ name }) => name);
    const found = await this.sources(machine);
    if ('why' in found) return all;
    const holders = all.filter(name => found.guests.some(({ node }) => node === name));
    const [source] = this.onlineFirst(found.guests);
    if (!source || holders.length === all.length || !this.isOnline(source.node)) return all;
    await this.reading.learn([source.node], this.storages);
    const home = this.cluster.nodes.find(({ name }) => name === source.node);
    const config = found.config ?? (await this.configOf(source));
    const isShared = home !== undefined && isOnShared(machine, config, home);
    return isShared ? all : holders;
  }

  /** The configuration of what is cloned, read once for all machines, as long as the listing shows the same guest. */
  configOf(source: GuestPlace): Promise<Record<string, string>> {
    const { name, template } = guestWithId(this.cluster.guests, source.vmid) ?? {};
    return this.once(`${source.vmid}:${template}:${name}`, () => this.reading.configOf(source));
  }

  /** The same; undefined where it is still to be made. */
  async configIfThere(source: GuestPlace): Promise<Record<string, string> | undefined> {
    return this.isThere(source) ? this.configOf(source) : undefined;
  }

  /** The configuration that a snapshot of it keeps, read once for all machines; undefined where it cannot be read. */
  async snapshotIfSeen(source: GuestPlace, name: string): Promise<Record<string, string> | undefined> {
    const reading = () => this.once(`${source.vmid}/${name}`, () => this.reading.snapshotOf(source, name));
    return this.isThere(source) ? ifSeen(reading()) : undefined;
  }

  /** Whether what is cloned is there, and not only to be made in this run. */
  isThere({ vmid }: GuestPlace): boolean {
    return guestWithId(this.cluster.guests, vmid) !== undefined;
  }

  private once(key: string, read: () => Promise<Record<string, string>>): Promise<Record<string, string>> {
    const known = this.configs.get(key);
    if (known) return known;
    const reading = read();
    reading.catch(() => this.configs.delete(key));
    this.configs.set(key, reading);
    return reading;
  }

  private get cluster(): ObservedCluster {
    return this.reading.cluster;
  }

  /** PVE: a guest younger than ten seconds may be listed without its name; its node knows it (behaviour.md §15.9). */
  private async sources(machine: FleetMachine): Promise<ImageSources | Objection> {
    const { nodeLists } = this.reading;
    const found = await this.found(machine);
    if (!('why' in found)) return this.withComing(machine, found.guests);
    if (found.why === NOT_THERE_YET) return this.future(machine, found);
    if (found.why !== 'no-template') return found;
    // the nodes list machines only, and a container may have the number that was said
    const containers = this.cluster.guests.filter(({ type }) => type === 'lxc');
    return sourceCandidates(machine, [...(await nodeLists.all()), ...containers], this.about.owner);
  }

  /** What there is of its source; clones of that which carry its tag until their first configuration are left out. */
  private async found(machine: FleetMachine): Promise<ReturnType<typeof sourceCandidates>> {
    const { guests } = this.cluster;
    const found = sourceCandidates(machine, guests, this.about.owner);
    const ids = sourceIds(machine.image);
    if (!('why' in found) || found.why !== AMBIGUOUS || ids.length === 0) return found;
    const copies = (await Promise.all(ids.map(id => this.copiesOf(id)))).flat();
    return sourceCandidates(
      machine,
      guests.filter(guest => !copies.includes(guest)),
      this.about.owner,
    );
  }

  private async copiesOf(id: string): Promise<ListedGuest[]> {
    const tagged = taggedAs(id, this.cluster.guests, this.about.owner);
    const marks = await Promise.all(tagged.map(guest => this.reading.proofOf(guest)));
    return tagged.filter((_, index) => {
      const mark = marks[index];
      return typeof mark !== 'object' || mark.owner !== this.about.owner || mark.machine !== id;
    });
  }

  /** What is there, and the replicas that are to be made in the same run. */
  private async withComing(machine: FleetMachine, guests: ListedGuest[]): Promise<ImageSources> {
    const isThere = (id: string): boolean =>
      guests.some(({ tags }) => tags.includes(ownerTag(this.about.owner, id)));
    const lacking = sourceIds(machine.image).filter(id => !isThere(id));
    const coming = lacking.length === 0 ? undefined : await this.future(machine, undefined, lacking);
    if (coming === undefined || 'why' in coming) return { guests };
    const { config } = coming;
    const isReadable = config === undefined || guests.some(({ node }) => this.isOnline(node));
    return { guests: [...guests, ...coming.guests], ...(isReadable ? {} : { config }) };
  }

  /** Machines that are to be made in the same run, as far as they are known already. `unknown`: why there is none. */
  private async future<T extends Objection | undefined>(
    { image }: FleetMachine,
    unknown: T,
    ids = sourceIds(image),
  ): Promise<ImageSources | Objection | T> {
    const all = await Promise.all(ids.map(id => this.futureOf(id, image?.snapshot)));
    const coming = all.flatMap(one => (one === undefined || 'why' in one ? [] : [one]));
    const [first] = coming;
    if (first === undefined) return all.find(one => one !== undefined) ?? unknown;
    return { ...first, guests: coming.flatMap(({ guests }) => guests) };
  }

  private async futureOf(
    id: string,
    snapshot: string | undefined,
  ): Promise<ImageSources | Objection | undefined> {
    const machine = this.fleet.find(id);
    const node = this.fleet.nodeOf(id);
    if (machine?.mode === 'observe' || machine?.mode === 'paused') return neverThere(id, machine.mode);
    if (snapshot !== undefined) return noSnapshotYet(id, snapshot);
    if (machine === undefined || node === undefined) return undefined;
    const own = await this.sources(machine);
    if ('why' in own) return undefined;
    const [first] = own.guests;
    const brought = own.config ?? (first ? await this.configOf(first) : {});
    return { guests: [futureGuest(machine, node)], config: futureConfig(machine, brought, this.about) };
  }

  /** The configuration of a source is read only for nodes that have none: there it decides. */
  private async withConfig(guests: ListedGuest[], nodes: readonly string[]): Promise<ImageSources> {
    const [source] = guests;
    const isBeside = nodes.every(node => guests.some(guest => guest.node === node));
    if (!source || isBeside || !this.isOnline(source.node)) return { guests };
    return { guests, config: await this.configOf(source) };
  }

  private onlineFirst(guests: readonly ListedGuest[]): ListedGuest[] {
    return [...guests].sort((a, b) => Number(this.isOnline(b.node)) - Number(this.isOnline(a.node)));
  }

  private isOnline(node: string): boolean {
    return this.cluster.nodes.some(({ name, online }) => name === node && online);
  }
}

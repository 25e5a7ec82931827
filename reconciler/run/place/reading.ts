import type { FleetMachine } from '../../../spec';
import type { Objection } from '../../action';
import type { ListedGuest, ObservedCluster } from '../../observed';
import { isOnShared, type Sources } from '../../placement/image-reach';
import type { FleetNodes } from '../../placement/fleet-nodes';
import type { Newcomer } from '../../placement/layout';
import { futureConfig, futureGuest } from '../../placement/future-source';
import {
  NOT_THERE_YET,
  neverThere,
  noSnapshotYet,
  sourceCandidates,
  withMemory,
} from '../../placement/source';
import type { ClusterReading } from '../cluster-reading';

/** Reads what the place of a new machine depends on, and nothing twice. */
export class PlaceReading {
  private readonly configs = new Map<number, Promise<Record<string, string>>>();

  constructor(
    private readonly reading: ClusterReading,
    private readonly owner: string,
    private readonly fleet: Pick<FleetNodes, 'find' | 'nodeOf'>,
  ) {}

  /** A new machine with what it may be made from, for a choice among some nodes; or why there is nothing. */
  async newcomer(machine: FleetMachine, among: readonly string[]): Promise<Newcomer | Objection> {
    const found = await this.sources(machine);
    if ('why' in found) return found;
    const [source] = found.guests;
    await this.reading.learn([...among, ...(source ? [source.node] : [])]);
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
    await this.reading.learn([source.node]);
    const home = this.cluster.nodes.find(({ name }) => name === source.node);
    const config = found.config ?? (await this.configOf(source));
    const isShared = home !== undefined && isOnShared(machine, config, home);
    return isShared ? all : holders;
  }

  /** The configuration of what is cloned, read once for all machines. */
  configOf(source: Pick<ListedGuest, 'vmid' | 'node'>): Promise<Record<string, string>> {
    const known = this.configs.get(source.vmid);
    if (known) return known;
    const reading = this.reading.configOf(source);
    reading.catch(() => this.configs.delete(source.vmid));
    this.configs.set(source.vmid, reading);
    return reading;
  }

  private get cluster(): ObservedCluster {
    return this.reading.cluster;
  }

  /** PVE: a guest younger than ten seconds may be listed without its name; its node knows it (behaviour.md §15.9). */
  private async sources(machine: FleetMachine): Promise<Sources | Objection> {
    const { cluster, names } = this.reading;
    const found = sourceCandidates(machine, cluster.guests, this.owner);
    if (!('why' in found)) return found;
    if (found.why === NOT_THERE_YET) return this.future(machine, found);
    return found.why === 'no-template' ? sourceCandidates(machine, await names.all(), this.owner) : found;
  }

  /** A machine that is to be made in the same run, as far as it is known already. */
  private async future({ image = {} }: FleetMachine, unknown: Objection): Promise<Sources | Objection> {
    const { machine: id = '', snapshot } = image;
    const machine = this.fleet.find(id);
    const node = this.fleet.nodeOf(id);
    if (machine?.mode === 'observe' || machine?.mode === 'paused') return neverThere(id, machine.mode);
    if (snapshot !== undefined) return noSnapshotYet(id, snapshot);
    if (machine === undefined || node === undefined) return unknown;
    const own = await this.sources(machine);
    if ('why' in own) return unknown;
    const [first] = own.guests;
    const brought = own.config ?? (first ? await this.configOf(first) : {});
    return { guests: [futureGuest(machine, node)], config: futureConfig(machine, brought) };
  }

  /** The configuration of a source is read only for nodes that have none: there it decides. */
  private async withConfig(guests: ListedGuest[], nodes: readonly string[]): Promise<Sources> {
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

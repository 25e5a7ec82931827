import type { ClusterSpec, FleetMachine } from '../../spec';
import type { Sources } from '../placement/image-reach';
import type { ClusterReading } from './cluster-reading';
import type { ListedGuest, ObservedCluster } from '../observed';
import type { Choice, Place } from '../placement/placement';
import { placeFor, unknownNode } from '../placement/placement';
import type { Pve } from '../pve';
import { PveError, readConfig } from '../pve';
import { FleetNodes, type Fleet } from '../placement/fleet-nodes';
import type { PlacementFacts } from '../placement/placement-facts';
import { byNode } from '../placement/placement-facts';
import { sourceCandidates } from '../placement/source';

/** What places are chosen with. */
interface Placing {
  pve: Pve;
  reading: ClusterReading;
  clusterSpec: ClusterSpec;
  fleet: Fleet;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[];
}

/**
 * Chooses the node of each machine that is not there yet. All new machines of the fleet are placed together, in the
 * order of their ids, so that every process which sees the same cluster and fleet comes to the same places.
 */
export class Places {
  private readonly fleetNodes: FleetNodes;
  private readonly configs = new Map<number, Promise<Record<string, string>>>();
  private together: Promise<void> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly given: Placing) {
    this.fleetNodes = new FleetNodes(given.fleet);
  }

  /**
   * The place of a machine that is not there: the one that a plan chose, while it fits; else that of the whole
   * fleet's placement, while it fits; else the best now. Reads only.
   */
  placeOf(machine: FleetMachine, planned: string | undefined): Promise<Choice> {
    const mine = this.turn.then(() => this.choose(machine, planned));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** The configuration of what is cloned, read once for all machines. */
  configOf(source: Pick<ListedGuest, 'vmid' | 'node'>): Promise<Record<string, string>> {
    const known = this.configs.get(source.vmid);
    if (known) return known;
    const reading = readConfig(this.given.pve, source).then(({ current }) => current);
    reading.catch(() => this.configs.delete(source.vmid));
    this.configs.set(source.vmid, reading);
    return reading;
  }

  /** The machines that are not there, in the order in which they were given. */
  absent(): FleetMachine[] {
    return this.fleetNodes.absent(this.cluster);
  }

  private get cluster(): ObservedCluster {
    return this.given.reading.cluster;
  }

  private async choose(machine: FleetMachine, planned: string | undefined): Promise<Choice> {
    // without a quorum the others only look offline, and nothing is sent: no place is chosen for later
    if (this.cluster.quorate === false) return this.anywhere(machine);
    const kept = planned === undefined ? undefined : await this.only(machine, planned);
    if (kept) return this.keep(machine, kept);
    this.together ??= this.placeAll();
    await this.together;
    const remembered = this.fleetNodes.nodeOf(machine.id);
    const still = remembered === undefined ? undefined : await this.only(machine, remembered);
    return this.keep(machine, still ?? (await this.anywhere(machine)));
  }

  private async placeAll(): Promise<void> {
    // the same order in every process, whatever order each was given
    const absent = this.fleetNodes.absent(this.cluster).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const machine of absent) {
      try {
        this.keep(machine, await this.anywhere(machine));
      } catch (error) {
        // what stops one machine is told when that one is placed
        if (!(error instanceof PveError)) throw error;
      }
    }
  }

  /** One node, where it fits. */
  private async only(machine: FleetMachine, node: string): Promise<Place | undefined> {
    const choice = await this.among(machine, [node]);
    return 'node' in choice ? choice : undefined;
  }

  /** First where nothing has to be sent for it: its own node, or those that have the image. */
  private async anywhere(machine: FleetMachine): Promise<Choice> {
    const unknown = unknownNode(machine, this.factsFor(machine));
    if (unknown) return unknown;
    if (machine.node !== undefined) {
      const own = await this.among(machine, [machine.node]);
      if ('node' in own || machine.pin === true) return own;
    }
    const holders = this.holders(machine);
    if (holders.length > 0 && machine.placement?.strategy === undefined) {
      const beside = await this.among(machine, holders);
      if ('node' in beside) return beside;
    }
    return this.among(
      machine,
      this.cluster.nodes.map(({ name }) => name),
    );
  }

  /** The nodes that have the image of a machine. */
  private holders(machine: FleetMachine): string[] {
    const found = sourceCandidates(machine, this.cluster.guests, this.given.fleet.owner);
    return 'why' in found ? [] : found.guests.map(({ node }) => node);
  }

  private async among(machine: FleetMachine, nodes: string[]): Promise<Choice> {
    const found = await this.sources(machine);
    if ('why' in found) return found;
    const [source] = found.guests;
    await this.given.reading.learn([...nodes, ...(source ? [source.node] : [])]);
    // what was learned goes with the next reading of the cluster
    const facts = this.factsFor(machine);
    const guests = this.onlineFirst(found.guests);
    return placeFor(machine, await this.withConfig(guests, nodes), facts, nodes);
  }

  /** PVE: a guest younger than ten seconds may be listed without its name; its node knows it (behaviour.md §15.9). */
  private async sources(machine: FleetMachine): Promise<ReturnType<typeof sourceCandidates>> {
    const { cluster, names } = this.given.reading;
    const found = sourceCandidates(machine, cluster.guests, this.given.fleet.owner);
    if (!('why' in found) || found.why !== 'no-template') return found;
    return sourceCandidates(machine, await names.all(), this.given.fleet.owner);
  }

  /** The configuration of a source is read only for nodes that have none: there it decides. */
  private async withConfig(guests: ListedGuest[], nodes: string[]): Promise<Sources> {
    const [source] = guests;
    const isBeside = nodes.every(node => guests.some(guest => guest.node === node));
    const home = this.cluster.nodes.find(({ name }) => name === source?.node);
    if (!source || isBeside || !home?.online) return { guests };
    return { guests, config: await this.configOf(source) };
  }

  private onlineFirst(guests: ListedGuest[]): ListedGuest[] {
    const offline = this.cluster.nodes.filter(node => !node.online).map(({ name }) => name);
    return [...guests].sort((a, b) => Number(offline.includes(a.node)) - Number(offline.includes(b.node)));
  }

  private keep(machine: FleetMachine, choice: Choice): Choice {
    this.fleetNodes.keep(machine, 'node' in choice ? choice.node : undefined);
    return choice;
  }

  private factsFor({ id }: FleetMachine): PlacementFacts {
    const { clusterSpec, preferredNodes: preferred, fleet } = this.given;
    const { cluster } = this;
    const others = byNode(this.fleetNodes.othersThan(id, cluster));
    const guests = byNode(cluster.guests.filter(({ template }) => !template));
    return { cluster, clusterSpec, preferred, others, guests, nodes: fleet.nodes ?? [] };
  }
}

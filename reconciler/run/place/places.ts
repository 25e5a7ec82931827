import type { ClusterSpec, FleetMachine } from '../../../spec';
import type { Objection } from '../../action';
import type { ClusterReading } from '../cluster-reading';
import type { ListedGuest, ObservedCluster, ObservedGuest } from '../../observed';
import type { Newcomer } from '../../placement/layout';
import { lostPlace, placeFor, unknownNode, type Choice, type ChosenNode } from '../../placement/placement';
import { brokenRules } from '../../placement/broken-rules';
import { hasHard, needsLabels } from '../../placement/neighbours';
import { PveError } from '../../pve';
import { FleetNodes, type PlacedTogether } from '../../placement/fleet-nodes';
import { byNode, type PlacementFacts } from '../../placement/placement-facts';
import { generations } from '../../placement/future-source';
import { schedule } from '../../placement/schedule';
import { withoutGuest } from '../../placement/without-guest';
import { withMemory } from '../../placement/source';
import { PlaceReads } from './place-reads';

/** What places are chosen with. */
interface Placing {
  reading: ClusterReading;
  clusterSpec: ClusterSpec;
  fleet: PlacedTogether;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[];
  /** Whether it is said of each node why it is taken or not: then all are looked at, also where the first ones do. */
  explains: boolean;
}

/** What is known of one machine that is to be placed. */
export interface PlaceGiven {
  /** The node that a plan chose. */
  planned?: string | undefined;
  /** The guest that is destroyed before, as it is made anew. */
  gone?: ObservedGuest | undefined;
}

type Choices = ReadonlyMap<string, Choice>;
interface How {
  /** What stops one machine of many is reported when that one is placed. */
  errors: 'thrown' | 'left';
  gone?: ObservedGuest | undefined;
}

/**
 * Chooses the node of each machine that is not there yet. All new machines of the fleet are placed together, so that
 * every process which sees the same cluster and fleet comes to the same places.
 */
export class Places {
  private readonly fleetNodes: FleetNodes;
  /** What they depend on, as it is read. */
  readonly reading: PlaceReads;
  private together: Promise<{ guests: readonly ListedGuest[]; choices: Choices }> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private whole: PlacementFacts | undefined;

  constructor(private readonly given: Placing) {
    this.fleetNodes = new FleetNodes(given.fleet);
    const about = { owner: given.fleet.owner, clusterSpec: given.clusterSpec };
    this.reading = new PlaceReads(given.reading, about, this.fleetNodes, !given.explains);
  }

  /**
   * The place of a machine that is not there: the one that a plan chose, while it fits; else that of the whole
   * fleet's placement, while it fits; else the best now. Reads only.
   */
  placeOf(machine: FleetMachine, given: PlaceGiven): Promise<Choice> {
    const mine = this.turn.then(() => this.choose(machine, given));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** A machine that this run does not make after all: no other one is cloned from it. */
  forget(id: string): void {
    this.fleetNodes.forget(id);
  }

  /** What hard rules about other machines say, and is not so where a machine of the fleet stands. Reads nothing. */
  brokenRules(machine: FleetMachine, at: { node: string; vmid: number }): string[] {
    const { machines } = this.given.fleet;
    const isSaid = hasHard('affinity', machine) || hasHard('antiAffinity', machine);
    if (!isSaid || machines.every(({ id }) => id !== machine.id)) return [];
    // the same for all machines: a fleet may have thousands
    if (this.whole?.cluster !== this.cluster) this.whole = this.factsWithout([]);
    return brokenRules(machine, at, this.whole);
  }

  /** The machines that are not there, in the order in which they were given. */
  absent(): FleetMachine[] {
    return this.fleetNodes.absent(this.cluster);
  }

  private get cluster(): ObservedCluster {
    return this.given.reading.cluster;
  }

  private async choose(machine: FleetMachine, { planned, gone }: PlaceGiven): Promise<Choice> {
    // without a quorum the others only look offline, and nothing is sent: no place is chosen for later
    if (this.cluster.quorate === false) return this.alone(machine, gone);
    const kept = planned === undefined ? undefined : await this.only(machine, planned, gone);
    if (kept) return this.keep(machine, kept);
    const isAlone = this.given.fleet.machines.every(({ id }) => id !== machine.id);
    const side = planned !== undefined && isAlone ? needsLabels(machine) : undefined;
    if (planned !== undefined && side !== undefined) return lostPlace(planned, side);
    this.together ??= this.placeAll();
    const { guests, choices } = await this.together;
    const found = choices.get(machine.id);
    // why there is none was found out beside the others; it holds until the guests are listed again
    if (found && 'why' in found && guests === this.cluster.guests) return found;
    const remembered = this.fleetNodes.nodeOf(machine.id);
    const still = remembered === undefined ? undefined : await this.only(machine, remembered, gone);
    if (!still) return this.keep(machine, await this.alone(machine, gone));
    return this.keep(machine, found && 'node' in found ? { ...still, reasons: found.reasons } : still);
  }

  private async placeAll(): Promise<{ guests: readonly ListedGuest[]; choices: Choices }> {
    const absent = this.absent().filter(({ id }) => this.fleetNodes.nodeOf(id) === undefined);
    const choices = new Map<string, Choice>();
    for (const together of generations(absent)) {
      const found = await this.place(together);
      for (const machine of together) {
        const choice = found.get(machine.id);
        if (choice) choices.set(machine.id, this.keep(machine, choice));
      }
    }
    return { guests: this.cluster.guests, choices };
  }

  /** One node, where it fits. */
  private only(machine: FleetMachine, node: string, gone?: ObservedGuest): Promise<ChosenNode | undefined> {
    return this.reading.surely(
      () => this.onlyAsKnown(machine, node, gone),
      place => place === undefined,
    );
  }

  private async onlyAsKnown(
    machine: FleetMachine,
    node: string,
    gone?: ObservedGuest,
  ): Promise<ChosenNode | undefined> {
    const newcomer = await this.reading.newcomer(machine, [node]);
    if ('why' in newcomer) return undefined;
    const choice = placeFor(newcomer.machine, newcomer.sources, this.factsWithout([machine], gone), [node]);
    return 'node' in choice ? choice : undefined;
  }

  private async alone(machine: FleetMachine, gone?: ObservedGuest): Promise<Choice> {
    const choice = (await this.place([machine], { errors: 'thrown', gone })).get(machine.id);
    if (!choice) throw new Error(`nothing is known of the place of '${machine.id}'`);
    return choice;
  }

  /** First among the nodes that come before all others: then the rest is not even read. Then among all. */
  private place(machines: readonly FleetMachine[], how: How = { errors: 'left' }): Promise<Choices> {
    return this.reading.surely(
      () => this.placeAsKnown(machines, how),
      choices => machines.some(({ id }) => !('node' in (choices.get(id) ?? {}))),
    );
  }

  private async placeAsKnown(machines: readonly FleetMachine[], how: How): Promise<Choices> {
    const first = this.given.explains ? undefined : await this.placeAmong('first', machines, how);
    if (first?.isAll === true || first?.isWhole === true) return first.choices;
    return (await this.placeAmong('all', machines, how)).choices;
  }

  private async placeAmong(
    nodes: 'first' | 'all',
    machines: readonly FleetMachine[],
    { errors, gone }: How,
  ): Promise<{ choices: Choices; isAll: boolean; isWhole: boolean }> {
    const newcomers: Newcomer[] = [];
    const choices = new Map<string, Choice>();
    for (const machine of machines) {
      try {
        const newcomer = await this.newcomer(machine, nodes);
        if ('why' in newcomer) choices.set(machine.id, newcomer);
        else newcomers.push(newcomer);
      } catch (error) {
        if (errors === 'thrown' || !(error instanceof PveError)) throw error;
      }
    }
    const isAll = newcomers.every(({ machine, among }) => among.length >= this.nodesFor(machine).length);
    // other places are searched for only where all nodes are known
    const placed = schedule(newcomers, this.factsWithout(machines, gone), isAll ? undefined : 0);
    placed.forEach((choice, id) => choices.set(id, choice));
    return { choices, isAll, isWhole: [...placed.values()].every(choice => 'node' in choice) };
  }

  private async newcomer(machine: FleetMachine, nodes: 'first' | 'all'): Promise<Newcomer | Objection> {
    const unknown = unknownNode(machine, this.cluster);
    if (unknown) return unknown;
    const first = nodes === 'first' ? await this.reading.firstNodes(machine) : undefined;
    return this.reading.newcomer(machine, first ?? this.nodesFor(machine));
  }

  private nodesFor({ node, pin }: FleetMachine): string[] {
    return node !== undefined && pin === true ? [node] : this.cluster.nodes.map(({ name }) => name);
  }

  private keep(machine: FleetMachine, choice: Choice): Choice {
    const [node, source] = 'node' in choice ? [choice.node, choice.source] : [];
    this.fleetNodes.keep(withMemory(machine, source ? [source] : []), node);
    return choice;
  }

  private factsWithout(machines: readonly FleetMachine[], gone?: ObservedGuest): PlacementFacts {
    const { clusterSpec, preferredNodes: preferred, fleet } = this.given;
    const { cluster } = this;
    const others = byNode(this.fleetNodes.othersThan(new Set(machines.map(({ id }) => id)), cluster));
    const guests = byNode(cluster.guests.filter(({ template }) => !template));
    const facts = { cluster, clusterSpec, preferred, others, guests, nodes: fleet.nodes ?? [] };
    return gone === undefined ? facts : withoutGuest(facts, gone);
  }
}

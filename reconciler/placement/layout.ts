import { areTied, type FleetMachine } from '../../spec';
import type { ImageSources } from './image-reach';
import { hasHard } from './neighbours';
import type { PlacedMachine, PlacementFacts } from './placement-facts';

/** A machine that is to be created, what it may be made from, and the nodes that are looked at for it. */
export interface Newcomer {
  machine: FleetMachine;
  sources: ImageSources;
  among: readonly string[];
}

/** Which machine is on which node, or is to go there, while places are chosen. */
export class Layout {
  readonly facts: PlacementFacts;
  /** As it is without the new machines. */
  readonly empty: PlacementFacts;
  private readonly others: Map<string, PlacedMachine[]>;
  private readonly chosen = new Map<string, string>();
  private readonly placed: Map<string, PlacedMachine>;
  private readonly groups = new Map<string, readonly string[]>();
  /** All that are placed or may be, where a hard rule keeps any of them together; else none. */
  private readonly grouped: readonly FleetMachine[];

  /** `newcomers`: all that may be put somewhere. */
  constructor(facts: PlacementFacts, newcomers: readonly Newcomer[]) {
    const there = [...facts.others.values()].flat();
    const all = [...newcomers, ...there].map(({ machine }) => machine);
    this.grouped = all.some(machine => hasHard('affinity', machine)) ? all : [];
    this.placed = new Map(there.map(one => [one.machine.id, one]));
    this.others = new Map([...facts.others].map(([node, beside]) => [node, [...beside]]));
    this.facts = { ...facts, others: this.others, together: machine => this.together(machine) };
    const isThere = ({ machine }: PlacedMachine) => !this.chosen.has(machine.id);
    this.empty = { ...facts, together: machine => this.together(machine).filter(isThere) };
  }

  put({ machine }: Newcomer, node: string): void {
    const placed = { machine, node, planned: true, guest: undefined };
    this.chosen.set(machine.id, node);
    this.placed.set(machine.id, placed);
    const there = this.others.get(node) ?? [];
    there.push(placed);
    this.others.set(node, there);
  }

  take({ machine }: Newcomer): void {
    const node = this.nodeOf(machine.id);
    if (node === undefined) return;
    this.chosen.delete(machine.id);
    this.placed.delete(machine.id);
    const left = (this.others.get(node) ?? []).filter(other => other.machine.id !== machine.id);
    this.others.set(node, left);
  }

  /** Those that are placed and that a hard rule keeps together with a machine, by their ids. */
  together(machine: FleetMachine): PlacedMachine[] {
    if (this.grouped.length === 0) return [];
    const group = this.groups.get(machine.id) ?? this.groupOf(machine);
    return group.flatMap(id => this.placed.get(id) ?? []);
  }

  private groupOf(machine: FleetMachine): readonly string[] {
    const tied = this.grouped.filter(other => other.id !== machine.id && areTied('affinity', machine, other));
    const group = tied.map(({ id }) => id).sort();
    this.groups.set(machine.id, group);
    return group;
  }

  /** The node that was chosen for a new machine. */
  nodeOf(id: string): string | undefined {
    return this.chosen.get(id);
  }

  /** The ids of the new machines that are to go to a node. */
  newOn(node: string): string[] {
    const there = this.others.get(node) ?? [];
    return there.flatMap(({ machine: { id } }) => (this.chosen.has(id) ? [id] : []));
  }
}

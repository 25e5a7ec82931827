import type { FleetMachine } from '../../spec';
import type { Sources } from './image-reach';
import type { PlacedMachine, PlacementFacts } from './placement-facts';

/** A machine that is to be created, what it may be made from, and the nodes that are looked at for it. */
export interface Newcomer {
  machine: FleetMachine;
  sources: Sources;
  among: readonly string[];
}

/** Which machine is on which node, or is to go there, while places are chosen. */
export class Layout {
  readonly facts: PlacementFacts;
  private readonly others: Map<string, PlacedMachine[]>;
  private readonly chosen = new Map<string, string>();

  constructor(facts: PlacementFacts) {
    this.others = new Map([...facts.others].map(([node, there]) => [node, [...there]]));
    this.facts = { ...facts, others: this.others };
  }

  put({ machine }: Newcomer, node: string): void {
    this.chosen.set(machine.id, node);
    const there = this.others.get(node) ?? [];
    there.push({ machine, node, planned: true, guest: undefined });
    this.others.set(node, there);
  }

  take({ machine }: Newcomer): void {
    const node = this.nodeOf(machine.id);
    if (node === undefined) return;
    this.chosen.delete(machine.id);
    const left = (this.others.get(node) ?? []).filter(other => other.machine.id !== machine.id);
    this.others.set(node, left);
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

import { canonical } from '../../spec';
import type { Layout, Newcomer } from './layout';
import type { Reach } from './image-reach';
import { crowding } from './node-objections';
import { reachOf } from './placement';
import type { ObservedNode } from '../observed';
import { compareRanks, ranksOf } from './ranks';

/** A node that can take a machine where nothing else new is on it. */
interface Open {
  node: ObservedNode;
  reach: Reach;
}

interface Evicted {
  other: Newcomer;
  from: string;
}

interface Option {
  newcomer: Newcomer;
  node: string;
  /** The new machines that must leave the node for it, or come to it from another one. */
  evicted: Evicted[];
  ranks: number[];
}

/**
 * Makes room for new machines that were left over, by giving other new ones another place. It finds a way wherever
 * there is one, unless that takes too many tries.
 */
export class Search {
  /** The machines that it gave a place, or another one. */
  readonly moved = new Set<string>();
  private readonly known: ReadonlyMap<string, Newcomer>;
  private readonly kinds: ReadonlyMap<string, string>;
  private readonly open = new Map<string, Map<string, Open>>();
  /** Machines whose place is tried out just now. */
  private readonly fixed = new Set<string>();
  private tries = 0;

  /** `most`: after so many looks at a node it gives up. */
  constructor(
    private readonly layout: Layout,
    newcomers: readonly Newcomer[],
    private readonly most: number,
  ) {
    this.known = new Map(newcomers.map(newcomer => [newcomer.machine.id, newcomer]));
    this.kinds = new Map(newcomers.map(newcomer => [newcomer.machine.id, kindOf(newcomer)]));
  }

  /** Whether this machine has a place now. Where it has not, nothing has changed. */
  makeRoom(newcomer: Newcomer): 'found' | 'none' | 'given-up' {
    this.tries = 0;
    const isFound = this.settle([newcomer]);
    this.fixed.clear();
    if (isFound) return 'found';
    return this.isTired ? 'given-up' : 'none';
  }

  private get isTired(): boolean {
    return this.tries > this.most;
  }

  /** Gives each of these a place that stays; those that must make way for it are settled next. */
  private settle(waiting: readonly Newcomer[]): boolean {
    if (waiting.length === 0) return true;
    const options = this.tightest(waiting);
    for (const { newcomer, node, evicted } of options) {
      if (this.isTired) return false;
      const { id } = newcomer.machine;
      evicted.forEach(({ other }) => this.layout.take(other));
      this.layout.put(newcomer, node);
      this.fixed.add(id);
      const left = evicted.map(({ other }) => other);
      if (this.settle([...waiting.filter(other => other !== newcomer), ...left])) {
        this.moved.add(id);
        return true;
      }
      this.fixed.delete(id);
      this.layout.take(newcomer);
      evicted.forEach(({ other, from }) => this.layout.put(other, from));
    }
    return false;
  }

  /** The options of the machine that has the fewest: what cannot work is found out soonest there. */
  private tightest(waiting: readonly Newcomer[]): Option[] {
    const all = waiting.map(newcomer => this.optionsOf(newcomer));
    return all.reduce((one, other) => (other.length < one.length ? other : one));
  }

  private optionsOf(newcomer: Newcomer): Option[] {
    const open = [...this.openFor(newcomer).values()];
    const options = open.flatMap(to => (this.isTired ? [] : (this.optionOn(newcomer, to) ?? [])));
    return options.sort(
      (one, other) => one.evicted.length - other.evicted.length || compareRanks(one, other),
    );
  }

  /** The node, with the machines that must leave it; undefined where that does not suffice. */
  private optionOn(newcomer: Newcomer, { node, reach }: Open): Option | undefined {
    const evicted = this.evictedFor(newcomer, node.name);
    if (evicted === undefined) return undefined;
    const ranks = ranksOf(newcomer.machine, node.name, reach, this.layout.facts);
    return { newcomer, node: node.name, evicted, ranks };
  }

  private evictedFor(newcomer: Newcomer, node: string): Evicted[] | undefined {
    if (this.fits(newcomer, node)) return [];
    const here = this.layout.newOn(node).flatMap(id => this.known.get(id) ?? []);
    const movable = here.filter(other => this.mayLeave(other, newcomer));
    const group = this.groupElsewhere(newcomer, node);
    if (movable.length === 0 && group.length === 0) return undefined;
    [...movable, ...group.map(({ other }) => other)].forEach(other => this.layout.take(other));
    const isEnough = this.fits(newcomer, node);
    const stays = isEnough ? this.putBack(movable, newcomer, node) : new Set();
    const leaves = movable.filter(other => !stays.has(other)).map(other => ({ other, from: node }));
    const evicted = [...leaves, ...group];
    evicted.forEach(({ other, from }) => this.layout.put(other, from));
    return isEnough ? evicted : undefined;
  }

  /** The new machines on other nodes that must come to this one with it. One whose place is fixed does not. */
  private groupElsewhere({ machine }: Newcomer, node: string): Evicted[] {
    return this.layout.together(machine).flatMap(({ machine: { id }, node: from }) => {
      const other = from === node || this.fixed.has(id) ? undefined : this.known.get(id);
      return other ? [{ other, from }] : [];
    });
  }

  /** Those of the machines that can stay beside the new one; they are on the node again, and it is not. */
  private putBack(machines: readonly Newcomer[], newcomer: Newcomer, node: string): Set<Newcomer> {
    this.layout.put(newcomer, node);
    const stays = machines.filter(other => {
      if (!this.fits(other, node)) return false;
      this.layout.put(other, node);
      return true;
    });
    this.layout.take(newcomer);
    return new Set(stays);
  }

  /** Machines that differ in nothing but their id gain nothing by changing places. */
  private mayLeave({ machine: { id } }: Newcomer, { machine }: Newcomer): boolean {
    return !this.fixed.has(id) && this.kinds.get(id) !== this.kinds.get(machine.id);
  }

  private fits(newcomer: Newcomer, name: string): boolean {
    this.tries += 1;
    const open = this.openFor(newcomer).get(name);
    return open !== undefined && crowding(newcomer.machine, open.node, this.layout.facts) === undefined;
  }

  private openFor({ machine, sources, among }: Newcomer): ReadonlyMap<string, Open> {
    const known = this.open.get(machine.id);
    if (known) return known;
    const open = new Map<string, Open>();
    for (const node of this.layout.empty.cluster.nodes.filter(({ name }) => among.includes(name))) {
      const reach = reachOf(machine, node, sources, this.layout.empty);
      if (!('reason' in reach)) open.set(node.name, { node, reach });
    }
    this.open.set(machine.id, open);
    return open;
  }
}

function kindOf({ machine }: Newcomer): string {
  const { id: _, formerIds: __, vmid: ___, ...kind } = machine;
  return canonical(kind);
}

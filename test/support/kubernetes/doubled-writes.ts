/** A guest as the state of a simulated cluster has it. */
export interface SeenGuest {
  vmid: number;
  config: { name?: string; vmgenid?: string };
}

/** A task of it. */
export interface SeenTask {
  type: string;
  /** The guest that it makes or destroys. */
  id: string;
  exitstatus?: string;
}

const MAKES = 'qmcreate';
const DESTROYS = 'qmdestroy';

/** Whether one machine was made twice, by what a cluster was told and not only by what is left at the end. */
export class DoubledWrites {
  /** The guests that were ever seen, by number: each life has an id of its own. */
  private readonly lives = new Map<number, Set<string>>();
  private readonly faults = new Set<string>();

  /** To be called often. */
  see(guests: readonly SeenGuest[]): void {
    const byName = new Map<string, number[]>();
    for (const { vmid, config } of guests) {
      const { name = '', vmgenid = '' } = config;
      const lives = this.lives.get(vmid) ?? new Set();
      this.lives.set(vmid, lives.add(vmgenid));
      byName.set(name, [...(byName.get(name) ?? []), vmid]);
    }
    for (const [name, vmids] of byName)
      if (vmids.length > 1)
        this.faults.add(`${name}: is there ${vmids.length} times, as ${vmids.join(', ')}`);
  }

  /** What was done twice, by all tasks in their order. */
  faultsBy(tasks: readonly SeenTask[]): string[] {
    const there = new Set<string>();
    const made = new Map<string, number>();
    for (const { type, id, exitstatus } of tasks) {
      // one that is cut off may have destroyed it all the same
      if (type === DESTROYS) there.delete(id);
      if (type !== MAKES || !/^(OK|WARNINGS: \d+)$/.test(exitstatus ?? '')) continue;
      if (there.has(id)) this.faults.add(`VM ${id}: was made twice, and not destroyed between`);
      there.add(id);
      made.set(id, (made.get(id) ?? 0) + 1);
    }
    for (const [id, count] of made) {
      const seen = this.lives.get(Number(id))?.size ?? 0;
      if (count > seen) this.faults.add(`VM ${id}: was made ${count} times, and ${seen} of them were seen`);
    }
    return [...this.faults];
  }
}

/** Remembers what was said of a machine, so that what stays so is said once and not in each round. */
export class Repeats {
  private readonly before = new Map<string, ReadonlySet<string>>();
  private readonly now = new Map<string, Set<string>>();

  /** Whether this was not said in the last attempt, nor yet in this one. */
  isNew(machine: string, text: string): boolean {
    // a machine that waits says for how long: with its numbers each would be new
    const kept = text.replaceAll(/\d+/g, '#');
    const said = this.now.get(machine) ?? new Set();
    this.now.set(machine, said);
    const isKnown = said.has(kept) || this.before.get(machine)?.has(kept) === true;
    said.add(kept);
    return !isKnown;
  }

  /** An attempt at a machine has ended. */
  ended(machine: string): void {
    const said = this.now.get(machine);
    if (said) this.before.set(machine, said);
    else this.before.delete(machine);
    this.now.delete(machine);
  }
}

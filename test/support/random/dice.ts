/** Numbers that look random and are the same in every run: each call gives one below `sides`. */
export type Roll = (sides: number) => number;

export function dice(seed: number): Roll {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** About half of the entries. */
export function some<T>(roll: Roll, entries: readonly T[]): T[] {
  return entries.filter(() => roll(2) === 0);
}

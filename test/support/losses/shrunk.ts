import { playCase, type Played } from './case';

/** The least moves that still show a fault of the same kind as the first, and what is played with them. */
export async function shrunk(seed: number, whole: Played): Promise<{ moves: number[]; played: Played }> {
  const kind = kindOf(whole.faults[0]);
  const last = Number(/move (-?\d+)/.exec(whole.faults[0] ?? '')?.[1] ?? 0);
  let moves = Array.from({ length: last + 1 }, (_, move) => move);
  let played = await playCase(seed, moves);
  for (const move of [...moves].reverse()) {
    const fewer = moves.filter(each => each !== move);
    const tried = await playCase(seed, fewer);
    if (!tried.faults.some(fault => kindOf(fault) === kind)) continue;
    moves = fewer;
    played = tried;
  }
  return { moves, played };
}

/** A fault without the names that differ from one playing to the other. */
export function kindOf(fault = ''): string {
  return fault.replace(/^move -?\d+, /, '').replace(/volume \S+|snapshot \S+|\d+/g, 'N');
}

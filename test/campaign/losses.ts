/**
 * What goes must have been named: `npm run test:campaign:losses -- [RUNS] [SEED] [MOVES]`. Each seed is a cluster with
 * kept, hand-made, shared and swapped volumes, snapshots, ISOs, templates and Terraform entries, on which front ends take turns
 * with what people do. A fault is shrunk to the moves that it needs, which are the third word of the line that plays it again.
 */
import { playCase, type Played } from '../support/losses/case';
import { kindOf, shrunk } from '../support/losses/shrunk';

const count = (played: Played[], what: 'runs' | 'done' | 'lost'): number =>
  played.reduce((sum, each) => sum + each[what], 0);

const AT_ONCE = 4;

async function main(): Promise<void> {
  const [wanted = 2_000, first = Date.now() % 10_000] = process.argv.slice(2).map(Number);
  const moves = process.argv[4]?.split(',').map(Number);
  console.log(`losses: ${wanted} runs from seed ${first}`);
  const started = performance.now();
  const played: Played[] = [];
  const kinds = new Set<string>();
  let faulty = 0;
  let next = first;
  const playSome = async (): Promise<void> => {
    while (count(played, 'runs') < wanted) {
      const seed = next;
      next += 1;
      const one = await playCase(seed, moves);
      played.push(one);
      if (played.length % 20 === 0) console.log(totals(played));
      if (one.faults.length > 0) await tell(seed, one);
      if (moves) return;
    }
  };
  const tell = async (seed: number, one: Played): Promise<void> => {
    faulty += 1;
    process.exitCode = 1;
    const kind = kindOf(one.faults[0]);
    const isNew = !kinds.has(kind) && moves === undefined;
    kinds.add(kind);
    const least = isNew ? await shrunk(seed, one) : { moves: moves ?? [], played: one };
    const story = isNew || moves ? least.played.story : [];
    const again = `npm run test:campaign:losses -- 1 ${seed} ${least.moves.join(',')}`;
    console.error([`seed ${seed}: ${again}`, ...story, ...least.played.faults].join('\n  '));
  };
  // most of a run is waiting for an answer
  await Promise.all(Array.from({ length: moves ? 1 : AT_ONCE }, playSome));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`losses: ${totals(played)}, ${faulty} seeds with faults, ${seconds} s`);
}

function totals(played: Played[]): string {
  const [runs, done, lost] = [count(played, 'runs'), count(played, 'done'), count(played, 'lost')];
  return `${runs} runs (${done} ended well) on ${played.length} clusters, ${lost} volumes and snapshots went`;
}

void main();

/**
 * What goes must have been named: `npm run test:campaign:losses -- [RUNS] [SEED] [MOVES]`. Each seed is a cluster with
 * kept, hand-made, shared and swapped volumes, snapshots, ISOs, templates and Terraform entries, on which front ends take turns
 * with what people do. A fault is shrunk to the moves that it needs, which are the third word of the line that plays it again.
 */
import { playCase, type Played } from '../support/losses/case';
import { shrunk } from '../support/losses/shrunk';

const count = (played: Played[], what: 'runs' | 'done' | 'lost'): number =>
  played.reduce((sum, each) => sum + each[what], 0);

async function main(): Promise<void> {
  const [wanted = 2_000, first = Date.now() % 10_000] = process.argv.slice(2).map(Number);
  const moves = process.argv[4]?.split(',').map(Number);
  console.log(`losses: ${wanted} runs from seed ${first}`);
  const started = performance.now();
  const played: Played[] = [];
  let faulty = 0;
  for (let seed = first; count(played, 'runs') < wanted; seed += 1) {
    const one = await playCase(seed, moves);
    played.push(one);
    if (one.faults.length > 0) {
      faulty += 1;
      const least = moves ? { moves, played: one } : await shrunk(seed, one);
      const again = `npm run test:campaign:losses -- 1 ${seed} ${least.moves.join(',')}`;
      console.error([`seed ${seed}: ${again}`, ...least.played.story, ...least.played.faults].join('\n  '));
      process.exitCode = 1;
    }
    if (moves) break;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `losses: ${count(played, 'runs')} runs (${count(played, 'done')} ended well) on ${played.length} clusters, ` +
      `${count(played, 'lost')} volumes and snapshots went, ${faulty} seeds with faults, ${seconds} s`,
  );
}

void main();

/**
 * Longer seeded runs: `npm run test:campaign -- [ROUNDS] [SEED]`. Each round follows 50 pairs of random specs to their
 * rest, holds the plans of 50 running machines against their restarts, and refuses one request of each field's change. Prints the seed that it starts from, so that a failure can be run again.
 */
import { convergenceFaults } from '../support/convergence';
import { offFaults } from '../support/never-off';
import { restartFaults } from '../support/restarts';

const PAIRS = 50;

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 20);
  const first = Number(process.argv[3] ?? Date.now() % 1_000_000);
  console.log(`seed ${first}, ${rounds} rounds of ${PAIRS} pairs`);
  for (let round = 0; round < rounds; round += 1) {
    const seed = first + round * PAIRS;
    const faults = [
      ...(await convergenceFaults(seed, PAIRS)),
      ...(await restartFaults(seed, PAIRS)),
      ...(await offFaults(seed)),
    ];
    if (faults.length === 0) continue;
    console.error(`seed ${seed}:\n${faults.join('\n')}`);
    process.exitCode = 1;
    return;
  }
  console.log(`${rounds * PAIRS} pairs converged`);
}

void main();

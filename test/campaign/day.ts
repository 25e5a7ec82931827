/**
 * A day of a daemon in which something goes wrong each minute: `npm run test:campaign:day -- [SEED] [MINUTES] [SCALE]`.
 * Both clocks run SCALE times as fast, so 24 hours take 24 minutes when nothing is said. Needs
 * `npm run build`. The log of the daemon stands in day.log afterwards.
 */
import { writeFileSync } from 'node:fs';
import { dayFaults } from '../support/day/day-faults';

async function main(): Promise<void> {
  const [seed = Date.now() % 10_000, minutes = 1_440, scale = 60] = process.argv.slice(2).map(Number);
  console.log(`seed ${seed}, ${minutes} minutes, ${scale} times as fast`);
  const started = performance.now();
  const faults = await dayFaults({
    ...{ seed, minutes, scale },
    tell: text => console.log(text),
    keep: lines => writeFileSync('day.log', lines.map(line => `${JSON.stringify(line)}\n`).join('')),
  });
  console.log(faults.length === 0 ? 'no fault' : `FAULTS\n${faults.join('\n')}`);
  console.log(`${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

void main();

/**
 * Two hosts with one lease of PostgreSQL: `npm run test:campaign:takeovers -- [TIMES]`. The host at work is killed, stopped and
 * cut off in turn, in the midst of a write. Prints how long the other one took, and each write that was made twice.
 */
import { LOSSES, pairOfHosts, takeOver, told } from '../support/lease/pair';
import { startPostgres } from '../support/lease/postgres';

async function main(): Promise<void> {
  const times = Number(process.argv[2] ?? 50);
  const losses = Object.keys(LOSSES) as (keyof typeof LOSSES)[];
  const postgres = await startPostgres();
  const pair = await pairOfHosts(postgres.port, port => ({
    args: ['--lease', `postgres://pve@127.0.0.1:${port}/postgres`],
  }));
  const took: number[] = [];
  let doubled = 0;
  try {
    for (let k = 0; k < times; k += 1) {
      const loss = losses[k % losses.length] ?? 'killed';
      const seen = await takeOver(pair, loss);
      took.push(seen.tookMs);
      doubled += seen.doubled.length;
      console.log(`${k + 1} ${loss}: ${(seen.tookMs / 1000).toFixed(1)} s, ${seen.doubled.length} doubled`);
      for (const { method, path, user } of seen.doubled) console.log(`  ${user}: ${method} ${path}`);
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(error, told(pair));
  } finally {
    await pair.close();
    await postgres.close();
  }
  const sorted = took.sort((one, other) => one - other);
  const at = (part: number): string =>
    ((sorted[Math.floor((sorted.length - 1) * part)] ?? NaN) / 1000).toFixed(1);
  console.log(
    `takeovers: ${took.length}, median ${at(0.5)} s, longest ${at(1)} s, ${doubled} writes doubled`,
  );
  if (doubled > 0) process.exitCode = 1;
}

void main();

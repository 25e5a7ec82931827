/**
 * Two hosts with one lease of PostgreSQL, or with a Lease of a real API server: `npm run test:campaign:takeovers -- [TIMES]
 * [--kubernetes]`. The host at work is killed, stopped and cut off in turn, in the midst of a write. Prints how long the other
 * one took, and each write that was made twice.
 */
import { parseArgs } from 'node:util';
import { leaseOfKubernetes } from '../support/lease/by-kubernetes';
import { LOSSES, pairOfHosts, takeOver, told } from '../support/lease/pair';
import { startPostgres } from '../support/lease/postgres';

/** The most that a takeover may take. */
const MOST_MS = 15_000;

async function leaseOfPostgres() {
  const { port, close } = await startPostgres();
  const argsWith = (by: number) => ({ args: ['--lease', `postgres://pve@127.0.0.1:${by}/postgres`] });
  return { port, argsWith, close };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kubernetes: { type: 'boolean', default: false } },
  });
  const times = Number(positionals[0] ?? 50);
  const losses = Object.keys(LOSSES) as (keyof typeof LOSSES)[];
  const lease = await (values.kubernetes ? leaseOfKubernetes() : leaseOfPostgres());
  const pair = await pairOfHosts(lease.port, lease.argsWith);
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
    await lease.close();
  }
  const sorted = took.sort((one, other) => one - other);
  const at = (part: number): string =>
    ((sorted[Math.floor((sorted.length - 1) * part)] ?? NaN) / 1000).toFixed(1);
  const late = took.filter(ms => ms > MOST_MS).length;
  console.log(
    `takeovers: ${took.length}, median ${at(0.5)} s, longest ${at(1)} s, ${late} later than ${MOST_MS / 1000} s, ${doubled} writes doubled`,
  );
  if (doubled > 0 || late > 0) process.exitCode = 1;
}

void main();

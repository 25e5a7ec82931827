/**
 * Plays the recordings against a cluster that is only known by its address (docs/contract-suite.md):
 * PVE_TEST_ENDPOINT=https://HOST:8006 PVE_TEST_PASSWORD=… npx tsx test/contract/cluster.ts [--clean] [NAME…]
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clusterOfEnvironment } from '../support/contract/environment';
import { cleanAbandoned, replayThere } from '../support/contract/replay-there';

const folder = resolve('test/contract/recordings');
const [...names] = process.argv.slice(2);

async function main(): Promise<boolean> {
  const cluster = clusterOfEnvironment();
  if (!cluster) throw new Error('PVE_TEST_ENDPOINT is not set: which cluster is it to be?');
  if (names.includes('--clean')) return tell('clean-up', await cleanAbandoned(cluster, folder));
  const recordings = readdirSync(folder)
    .filter(name => /^[0-9a-z]\d-.*\.json$/.test(name))
    .filter(name => names.length === 0 || names.some(start => name.startsWith(start)));
  let passed = true;
  for (const recording of recordings) {
    const { failures, left, skipped } = await replayThere(cluster, join(recording), folder);
    passed =
      tell(`${recording}${skipped === undefined ? '' : ` not played: ${skipped}`}`, [...failures, ...left]) &&
      passed;
  }
  return passed;
}

function tell(what: string, wrong: string[]): boolean {
  console.log(wrong.length === 0 ? `ok   ${what}` : [`FAIL ${what}`, ...wrong].join('\n       '));
  return wrong.length === 0;
}

main().then(
  passed => (process.exitCode = passed ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);

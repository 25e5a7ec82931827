// Writes docs/simulator-coverage.md from the simulator and the recordings. With --check it writes nothing and fails when
// the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { covered } from './coverage/covered';
import { coveragePage } from './coverage/coverage-page';

const page = path.join(__dirname, '..', 'docs', 'simulator-coverage.md');

async function main(): Promise<void> {
  const before = readFileSync(page, 'utf8');
  const [introduction = ''] = before.split(/^\| group /m);
  const after = await format(introduction + coveragePage(covered()), { parser: 'markdown', printWidth: 110 });
  if (before === after) return;
  if (process.argv.includes('--check')) {
    console.error('docs/simulator-coverage.md is stale: run npm run coverage');
    process.exitCode = 1;
    return;
  }
  writeFileSync(page, after);
  console.log('docs/simulator-coverage.md is written');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

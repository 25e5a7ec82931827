import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** So many files can be read at a glance. */
const MOST = 20;
const ROOMS = ['spec', 'constructs', 'reconciler', 'simulator', 'scripts', 'test', 'bench'];

test(`no folder holds more than ${MOST} sources`, () => {
  const listed = execFileSync('git', ['ls-files', ...ROOMS], { encoding: 'utf8' }).split('\n');
  const sources = listed.filter(file => /\.(ts|mjs|cjs)$/.test(file));
  expect(sources.length).toBeGreaterThan(500);
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST)).toEqual([]);
});

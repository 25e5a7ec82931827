import { cpSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { inModule, SmallClone } from './copied-scripts';

// The runner itself, on planted suites: what must turn the run red does.
const root = path.resolve(__dirname, '..', '..');
let clone: SmallClone;
beforeAll(() => {
  clone = new SmallClone();
  cpSync(path.join(root, 'jest.config.cjs'), clone.at('jest.config.cjs'));
  symlinkSync(path.join(root, 'node_modules'), clone.at('node_modules'));
});
afterAll(() => clone.remove());
beforeEach(() => {
  rmSync(clone.at('test'), { recursive: true, force: true });
  const jest = path.join('test', 'support', 'jest');
  cpSync(path.join(root, jest), clone.at(jest), { recursive: true });
});

async function tallyOf(tests: Record<string, string>, suite = 'repository'): Promise<unknown> {
  for (const [name, content] of Object.entries(tests)) clone.write(`test/${suite}/${name}.test.ts`, content);
  const outcome = await clone.run(
    inModule(`
      import { runSuite } from './scripts/suites.mjs';
      console.log('\\n' + JSON.stringify(await runSuite('${suite}')));
    `),
  );
  return JSON.parse(outcome.stdout.trim().split('\n').at(-1)!);
}
const passing = `test('fine', () => expect(1).toBe(1));`;

test('passes and failures are counted over all files', async () => {
  const failing = `test('wrong', () => expect(1).toBe(2));`;
  expect(await tallyOf({ a: passing, b: passing + failing })).toEqual({
    passed: 2,
    failures: ['repository: test/repository/b.test.ts: wrong'],
    skips: [],
  });
});

test('a file that does not load is a failure', async () => {
  const tally = await tallyOf({ a: passing, b: `import './nowhere';` });
  expect(tally).toMatchObject({
    passed: 1,
    failures: [expect.stringMatching(/b\.test\.ts did not run/)],
  });
});

test('a skip with its reason is told', async () => {
  const skipping = `test.skip('big — skipped: no engine', () => {});`;
  expect(await tallyOf({ a: passing + skipping })).toEqual({
    passed: 1,
    failures: [],
    skips: ['repository: big — skipped: no engine'],
  });
});

test('a skip without a reason is a failure, and so is what `only` shuts out', async () => {
  const reason = expect.stringContaining('skipped without a reason');
  expect(await tallyOf({ a: passing + `test.skip('later', () => {});` })).toMatchObject({
    failures: [reason],
  });
  expect(await tallyOf({ a: passing + `test.only('mine', () => {});` })).toMatchObject({
    failures: [reason],
  });
});

test('a suite with files in which no test runs is a failure', async () => {
  const skipping = `test.skip('big — skipped: no engine', () => {});`;
  expect(await tallyOf({ a: skipping })).toMatchObject({
    passed: 0,
    failures: ['repository: no test ran'],
  });
});

test('a suite without any file is a failure', async () => {
  expect(await tallyOf({})).toMatchObject({
    passed: 0,
    failures: ['repository: no test ran'],
  });
});

test('a file that fails is not run a second time', async () => {
  const failingOnce = `
    const { existsSync, writeFileSync } = require('node:fs');
    test('in time', () => {
      const second = existsSync(__filename + '.seen');
      writeFileSync(__filename + '.seen', '');
      expect(second).toBe(true);
    });`;
  expect(await tallyOf({ a: passing, b: failingOnce }, 'runs')).toMatchObject({
    passed: 1,
    failures: ['runs: test/runs/b.test.ts: in time'],
  });
});

test('a suite in which something stays open is ended, and is a failure', async () => {
  const open = `test('open', () => { require('node:net').createServer().listen(0); });`;
  expect(await tallyOf({ a: passing + open })).toMatchObject({
    passed: 2,
    failures: [expect.stringContaining('left a server, a timer or a process open')],
  });
});

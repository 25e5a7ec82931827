import { readFileSync } from 'node:fs';
import { inModule, SmallClone } from './copied-scripts';

let clone: SmallClone;
beforeEach(() => (clone = new SmallClone()));
afterEach(() => clone.remove());

const dependencies = ['scripts/setup.mjs', 'dependencies'];
const holdForever = inModule(`
  import { withLock } from './scripts/setup/lock.mjs';
  await withLock(async () => { console.log('held'); await new Promise(done => setTimeout(done, 1e8)); });
`);

test('a set-up waits for the one under way and says whom it waits for', async () => {
  const holder = clone.start(holdForever);
  await holder.says(/held/);
  const second = clone.start(dependencies);
  await second.says(
    new RegExp(`another set-up of this folder is under way \\(process ${holder.pid}, since `),
  );
  holder.kill();
  expect((await second.ended).code).toBe(0);
});

test('a killed holder leaves nothing to clean up', async () => {
  const holder = clone.start(holdForever);
  await holder.says(/held/);
  holder.kill();
  await holder.ended;
  const next = await clone.run(dependencies);
  expect(next.code).toBe(0);
  expect(next.stderr).not.toContain('waiting');
});

test('a lock of a process number that another program has by now is free', async () => {
  clone.write('.setup/lock/7', [{ pid: process.pid, began: 'another time', says: 'waiting' }]);
  const next = await clone.run(dependencies);
  expect(next.code).toBe(0);
  expect(next.stderr).not.toContain('waiting');
});

test('what a killed set-up left running comes to its end before anything is started', async () => {
  const orphan = clone.start(inModule('console.log("here"); setTimeout(() => {}, 1e8);'));
  await orphan.says(/here/);
  await clone.run(
    inModule(`
      import { holdFor, withLock } from './scripts/setup/lock.mjs';
      await withLock(async () => {
        holdFor(${orphan.pid}, 'npm ci');
        process.kill(process.pid, 'SIGKILL');
      });
    `),
  );
  const next = clone.start(dependencies);
  await next.says(new RegExp(`left its npm ci running \\(process ${orphan.pid}\\): waiting for its end`));
  orphan.kill();
  expect((await next.ended).code).toBe(0);
});

test('eight processes that take turns are never inside together', async () => {
  const takeTurns = inModule(`
    import { appendFileSync } from 'node:fs';
    import { withLock } from './scripts/setup/lock.mjs';
    for (let turn = 0; turn < 5; turn += 1) {
      await withLock(async () => {
        appendFileSync('diary', 'in ' + process.pid + '\\n');
        await new Promise(done => setTimeout(done, 3));
        appendFileSync('diary', 'out ' + process.pid + '\\n');
      });
    }
  `);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => clone.run(takeTurns)));
  expect(outcomes.map(outcome => outcome.stderr.replaceAll(/^set-up: another.*\n/gm, ''))).toEqual(
    Array(8).fill(''),
  );
  const diary = readFileSync(clone.at('diary'), 'utf8').trim().split('\n');
  expect(diary).toHaveLength(80);
  for (let line = 0; line < diary.length; line += 2) {
    expect(diary[line + 1]).toBe(diary[line]!.replace('in', 'out'));
  }
});

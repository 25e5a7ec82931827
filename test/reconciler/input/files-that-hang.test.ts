import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answered, isHanging } from '../../../reconciler/config/answered';

const FIRST = ['one', 'two'];
const NAMES = [...FIRST, 'three', 'four'];

let folder: string;
let good: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mount-'));
  good = at('good');
  writeFileSync(good, 'x');
  // to open a pipe that nobody writes to stands for a file whose mount hangs: it holds a thread
  execFileSync('mkfifo', NAMES.map(at));
});
/** Ends the opening of those pipes that are being opened. */
const comeBack = (): void =>
  NAMES.forEach(name => {
    try {
      closeSync(openSync(at(name), constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // nobody opens this one
    }
  });
afterAll(() => {
  comeBack();
  rmSync(folder, { recursive: true });
});

const opened = async (name: string): Promise<void> =>
  answered(at(name), async () => (await open(at(name), 'r')).close());
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => String(error),
  );

test('a process that was busy for longer than a file may take has not waited for the file', async () => {
  const work = async () => {
    await stat(good);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_000);
    return (await stat(good)).size;
  };
  expect(await answered(good, work)).toBe(1);
}, 30_000);

test('of four files that hang two hold a thread, a further one is refused, and all answers once they are back', async () => {
  const said = await Promise.all(NAMES.map(name => failure(opened(name))));
  for (const [index, name] of FIRST.entries())
    expect(said[index]).toContain(`${at(name)} does not answer within 10 s: its mount hangs`);
  for (const name of ['three', 'four'])
    expect(said[NAMES.indexOf(name)]).toMatch(
      new RegExp(`${at(name)} is not read: .*one.* did not answer within 10 s`),
    );
  // a thread is left for the rest
  expect((await stat(good)).size).toBe(1);
  expect(await failure(answered(good, () => stat(good)))).toContain(`${good} is not read`);
  comeBack();
  while (isHanging()) await stat(good);
  expect(await Promise.all(Array.from({ length: 9 }, () => answered(good, () => stat(good))))).toHaveLength(
    9,
  );
}, 30_000);

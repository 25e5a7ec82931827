import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { start, type Ran } from '../../support/processes/cli';

let home: string;
beforeEach(() => {
  home = mkdtempSync('/tmp/home-');
});
afterEach(() => rmSync(home, { recursive: true }));

const folder = (): string => path.join(home, '.cache', 'pve-reconciler');
const kept = (): string[] => readdirSync(folder()).map(name => path.join(folder(), name));
const version = (env: Record<string, string> = {}): Promise<Ran> =>
  start(['--version'], { HOME: home, ...env }).ended;
const inode = (file = ''): number => statSync(file).ino;

test('keeps what Node made of the program, for nobody else, and starts by it', async () => {
  const first = await version();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [file] = kept();
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  const made = inode(file);
  // one that Node had refused would be made anew
  expect(await version()).toEqual(first);
  expect(kept()).toEqual([file]);
  expect(inode(file)).toBe(made);
});

test.each<[string, (content: Buffer) => Buffer]>([
  ['damaged', content => content.fill(content[1000]! ^ 1, 1000, 1001)],
  ['cut short', content => content.subarray(0, 5_000)],
  ['empty', () => Buffer.alloc(0)],
])('makes anew what is %s', async (_what, harm) => {
  const first = await version();
  const [file = ''] = kept();
  const whole = readFileSync(file);
  writeFileSync(file, harm(Buffer.from(whole)));
  expect(await version()).toEqual(first);
  expect(kept()).toEqual([file]);
  // a little more or less, by what had been called until the end
  expect(statSync(file).size).toBeGreaterThan(whole.length * 0.9);
  expect(await version()).toEqual(first);
});

test.each<[string, () => Record<string, string>]>([
  [
    'others may write into the folder',
    () => {
      mkdirSync(folder(), { recursive: true });
      chmodSync(folder(), 0o777);
      return {};
    },
  ],
  [
    'others may put another folder in its place',
    () => {
      mkdirSync(folder(), { recursive: true, mode: 0o700 });
      chmodSync(path.dirname(folder()), 0o777);
      return {};
    },
  ],
  [
    'the folder is a link',
    () => {
      mkdirSync(path.join(home, 'elsewhere', '.cache'), { recursive: true, mode: 0o700 });
      mkdirSync(path.dirname(folder()), { mode: 0o700 });
      symlinkSync(path.join(home, 'elsewhere', '.cache'), folder());
      return {};
    },
  ],
  ['there is none', () => ({ HOME: path.join(home, 'file'), XDG_CACHE_HOME: '/proc/none' })],
  ['nobody wants it', () => ({ NODE_DISABLE_COMPILE_CACHE: '1' })],
])('works without, and writes nothing, where %s', async (_where, prepare) => {
  const env = prepare();
  expect(await version(env)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(home, { recursive: true }).map(String)).not.toContainEqual(
    expect.stringMatching(/[0-9a-f]{32}/),
  );
});

test('many that start at once leave one file, and one in XDG_CACHE_HOME goes there', async () => {
  const elsewhere = { XDG_CACHE_HOME: path.join(home, 'caches') };
  const ran = await Promise.all([version(), version(), version(), version(elsewhere)]);
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(kept()).toHaveLength(1);
  expect(readdirSync(path.join(home, 'caches', 'pve-reconciler'))).toHaveLength(1);
});

test('removes what nothing has made for a month', async () => {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const [old, young] = ['old', 'young'].map(name => path.join(folder(), name));
  for (const file of [old!, young!]) writeFileSync(file, '');
  const monthAgo = Date.now() / 1000 - 31 * 86_400;
  utimesSync(old!, monthAgo, monthAgo);
  await version();
  expect(kept()).toContain(young);
  expect(kept()).not.toContain(old);
});

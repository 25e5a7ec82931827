import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { start, type Ran } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
if (!isRoot) skipped('takes nothing that somebody else has written', 'only root may give a file away');

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

const SOMEBODY_ELSES: [string, (file: string) => void] = [
  'somebody else has written',
  file => chownSync(file, NOBODY, NOBODY),
];
const HOME_OF_ANOTHER: [string, () => Record<string, string>] = [
  'the home is of somebody else, as with sudo',
  () => {
    chownSync(home, NOBODY, NOBODY);
    return {};
  },
];

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
  const harmed = harm(readFileSync(file));
  writeFileSync(file, harmed);
  expect(await version()).toEqual(first);
  expect(kept()).toEqual([file]);
  expect(readFileSync(file).equals(harmed)).toBe(false);
});

test.each<[string, (file: string) => void]>([
  ['others may have written', file => chmodSync(file, 0o666)],
  ...(isRoot ? [SOMEBODY_ELSES] : []),
  [
    'is a link',
    file => {
      renameSync(file, path.join(home, 'elsewhere'));
      symlinkSync(path.join(home, 'elsewhere'), file);
    },
  ],
])('takes nothing that %s, and makes it anew', async (_what, change) => {
  const first = await version();
  const [file = ''] = kept();
  change(file);
  const before = lstatSync(file).ino;
  expect(await version()).toEqual(first);
  expect(lstatSync(file)).toMatchObject({ uid: process.geteuid?.(), mode: 0o100600 });
  expect(lstatSync(file).ino).not.toBe(before);
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
  ...(isRoot ? [HOME_OF_ANOTHER] : []),
  ['the home has no name', () => ({ HOME: '' })],
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

test('removes what nothing has made for a month, and nothing that is not its own', async () => {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const names = ['0'.repeat(32), `${'1'.repeat(32)}.17`, '2'.repeat(32), 'desired.json'];
  const monthAgo = Date.now() / 1000 - 31 * 86_400;
  for (const name of names) {
    writeFileSync(path.join(folder(), name), '');
    if (!name.startsWith('2')) utimesSync(path.join(folder(), name), monthAgo, monthAgo);
  }
  await version();
  const left = readdirSync(folder());
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['2'.repeat(32), 'desired.json']));
});

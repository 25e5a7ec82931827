import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { marked } from '../../support/cluster/end-state';
import { startFrom } from '../../support/processes/cli';
import { programCopy } from '../../support/processes/program-copy';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';

let lab: SharedLab;
beforeEach(async () => {
  lab = await sharedLab();
});
afterEach(() => lab.close());

const folder = (): string => path.join(lab.temporary, `pve-run-${process.geteuid?.()}`);
const NOBODY = 65_534;

/** What keeps a client from having a worker. Root is stopped by no permission: these hold for him too. */
const HINDRANCES: Record<string, () => void> = {
  'the folder is of somebody else': () => {
    mkdirSync(folder());
    chownSync(folder(), NOBODY, NOBODY);
  },
  'others may enter the folder': () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o755);
  },
  'the folder is a link': () => {
    mkdirSync(path.join(lab.temporary, 'elsewhere'), { mode: 0o700 });
    symlinkSync(path.join(lab.temporary, 'elsewhere'), folder());
  },
  'the folder is a file': () => writeFileSync(folder(), ''),
  'others may put another folder in its place': () => chmodSync(lab.temporary, 0o777),
  'there is no folder for temporary files': () => rmSync(lab.temporary, { recursive: true }),
};
const isRoot = process.geteuid?.() === 0;
const named = Object.entries(HINDRANCES).filter(([name]) => isRoot || !name.endsWith('somebody else'));

test.each(named)('where %s, the client does its job itself', async (_, hinder) => {
  hinder();
  const { code, stderr } = await lab.apply(small('a')).ended;
  mkdirSync(lab.temporary, { recursive: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('a: ') });
  expect(lab.workers()).toEqual([]);
  expect(marked(lab.world, 'a').length).toBe(1);
});

test('where nothing can be written for a while, the client does its job itself', async () => {
  // no folder can be made there, by root neither
  const { code } = await lab.apply(small('a'), { TMPDIR: '/proc' }).ended;
  expect({ code, workers: lab.workers(), made: marked(lab.world, 'a').length }).toEqual({
    ...{ code: 0, workers: [], made: 1 },
  });
});

test('where the folder of temporary files has a path that is too long for a socket, the client does its job itself', async () => {
  const long = path.join(lab.temporary, 'x'.repeat(80));
  mkdirSync(long);
  const { code } = await lab.apply(small('a'), { TMPDIR: long }).ended;
  expect({ code, files: lab.files().length, made: marked(lab.world, 'a').length }).toEqual({
    ...{ code: 0, files: 1, made: 1 },
  });
});

(isRoot ? test : test.skip)('another user cannot reach the socket', async () => {
  const running = lab.apply(small('a'));
  await until(() => lab.workers().length === 1 && lab.files().length > 1);
  const [name = ''] = lab.files().filter(file => /\/[0-9a-f]{16}$/.test(file));
  chmodSync(lab.temporary, 0o755);
  const script = `require('node:net').connect(process.argv[1]).on('error', ({ code }) => console.log(code))`;
  const { stdout } = spawnSync(process.execPath, ['-e', script, path.join(lab.temporary, name)], {
    encoding: 'utf8',
    uid: NOBODY,
  });
  expect(stdout).toBe('EACCES\n');
  expect((await running.ended).code).toBe(0);
});

/** What stands where the socket is to be, and is not to be trusted. */
const IN_ITS_PLACE: Record<string, (socket: string, elsewhere: string) => void> = {
  'a link to one': (socket, elsewhere) => symlinkSync(elsewhere, socket),
  'one of another user': (socket, elsewhere) => {
    renameSync(elsewhere, socket);
    chownSync(socket, NOBODY, NOBODY);
  },
};

(isRoot ? test : test.skip).each(Object.entries(IN_ITS_PLACE))(
  'in the place of the socket, %s is not connected to, and does not stay',
  async (_, put) => {
    const socket = await lab.socket();
    const elsewhere = path.join(lab.temporary, 'other');
    let visits = 0;
    const server = createServer(() => (visits += 1)).listen(elsewhere);
    mkdirSync(folder(), { mode: 0o700 });
    put(socket, elsewhere);
    expect((await lab.apply(small('a')).ended).code).toBe(0);
    await until(() => lab.workers().length === 0);
    server.close();
    expect({ visits, left: lab.files().filter(name => name !== 'other') }).toEqual({ visits: 0, left: [] });
  },
);

test('a folder in the place of the socket is left alone, and so is the client', async () => {
  const socket = await lab.socket();
  mkdirSync(path.join(socket, 'of somebody'), { recursive: true, mode: 0o700 });
  const before = lab.files();
  const { code } = await lab.apply(small('a')).ended;
  expect({ code, workers: lab.workers(), files: lab.files() }).toEqual({
    code: 0,
    workers: [],
    files: before,
  });
});

test('another version of the program has a worker of its own', async () => {
  const other = programCopy();
  const one = lab.apply(small('a'));
  const two = other.start(['apply'], lab.applyEnvironment(small('b')));
  await until(() => lab.workers().length === 2);
  expect([(await one.ended).code, (await two.ended).code]).toEqual([0, 0]);
  other.remove();
});

test('without the rest of the program beside it, the client says what is missing', async () => {
  const away = mkdtempSync('/tmp/away-');
  cpSync(path.join(process.cwd(), 'dist', 'reconciler.cjs'), path.join(away, 'reconciler.cjs'));
  const { code, stdout, stderr } = await startFrom(path.join(away, 'reconciler.cjs'), ['observe'], lab.env)
    .ended;
  rmSync(away, { recursive: true });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`${path.join(away, 'reconciler-program.cjs')} is missing`);
});

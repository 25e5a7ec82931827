import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliLab, desiredText, run, start, type CliLab } from '../../support/processes/cli';

const web = { id: 'web', image: { blank: true }, node: 'pve1' };
const CLOCK = join(process.cwd(), 'test', 'support', 'day', 'fast-clock.cjs');
const HANGS = join(process.cwd(), 'test', 'support', 'processes', 'hanging-mount.cjs');

let lab: CliLab;
let folder: string;
let pipe: string;
beforeAll(async () => {
  lab = await cliLab();
  folder = mkdtempSync(join(tmpdir(), 'hanging-'));
  pipe = join(folder, 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
});
afterAll(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

const PIPE = /pipe\.yaml is a pipe, and only regular files are read/;

test.each([
  ['--spec', (): string[] => ['plan', '--spec', pipe], {}],
  ['--manifests', (): string[] => ['plan', '--manifests', pipe], {}],
  ['a folder of manifests', (): string[] => ['plan', '--manifests', folder], {}],
  ['review', (): string[] => ['review', pipe], {}],
])('%s names a pipe that nobody writes to: refused by its name', async (_, args) => {
  const { code, stderr } = await run(args(), lab.access);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(PIPE) });
});

test.each(['PVE_TOKEN_SECRET_FILE', 'PVE_CA_BUNDLE'])('%s names a pipe: refused', async variable => {
  const spec = join(folder, 'good.json');
  writeFileSync(spec, desiredText([web]));
  const { PVE_TOKEN_SECRET: secret, ...access } = lab.access as Record<string, string>;
  const env = variable.endsWith('_FILE') ? access : { ...access, PVE_TOKEN_SECRET: secret ?? '' };
  const { code, stderr } = await run(['plan', '--spec', spec], { ...env, [variable]: pipe });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/is a pipe, and only regular/) });
  rmSync(spec);
});

test('a device that never ends is refused too', async () => {
  const { code, stderr } = await run(['plan', '--spec', '/dev/zero'], lab.access);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('/dev/zero is a device') });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A daemon that has read its spec; `env`: what else its process is given. */
async function daemon(name: string, env: Record<string, string>) {
  const file = join(folder, name);
  writeFileSync(file, desiredText([web]));
  const port = await freePort();
  const addresses = {
    RECONCILE_INTERVAL: '1s',
    METRICS_BIND_ADDRESS: '0',
    STATUS_BIND_ADDRESS: '0',
    HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${port}`,
  };
  const running = start(['run', '--spec', file], { ...lab.access, ...addresses, ...env });
  await running.said('Read the desired state');
  const healthy = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
  return { file, running, healthy };
}

test('a spec becomes a pipe while the daemon runs: its probes answer, the last good state stays, SIGTERM ends it', async () => {
  const { file, running, healthy } = await daemon('becomes-pipe.json', {});
  execFileSync('mkfifo', [`${file}.new`]);
  renameSync(`${file}.new`, file);
  await running.said('Bad desired state: the last good one is kept');
  expect(await healthy()).toBe(200);
  running.child.kill('SIGTERM');
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('is a pipe') });
});

test('the mount of a spec hangs while the daemon runs: its probes answer, the file is told, SIGTERM ends it', async () => {
  const switched = join(folder, 'now-it-hangs');
  const { file, running, healthy } = await daemon('on-a-mount.json', {
    NODE_OPTIONS: `--require ${CLOCK} --require ${HANGS}`,
    CLOCK_SCALE: '10',
    CLOCK_START: String(Date.now()),
    HANGING_FILE: join(folder, 'on-a-mount.json'),
    HANGING_SINCE: switched,
    HANGING_PIPE: pipe,
  });
  writeFileSync(switched, '');
  await running.said('does not answer within 10 s: its mount hangs');
  expect(await healthy()).toBe(200);
  running.child.kill('SIGTERM');
  const { stderr } = await running.ended;
  expect(stderr).toContain(file);
  expect(stderr).toContain('Stopped: what Proxmox was told before goes on there');
});

test('a spec on a mount that hangs ends a command with its name', async () => {
  const file = join(folder, 'hung.json');
  writeFileSync(file, desiredText([web]));
  const { stderr } = await run(['plan', '--spec', file], {
    ...lab.access,
    NODE_OPTIONS: `--require ${CLOCK} --require ${HANGS}`,
    CLOCK_SCALE: '10',
    CLOCK_START: String(Date.now()),
    HANGING_FILE: file,
    HANGING_SINCE: file,
    HANGING_PIPE: pipe,
  });
  expect(stderr).toContain('hung.json does not answer within 10 s: its mount hangs');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliLab, desiredText, start, type CliLab } from '../../support/processes/cli';

const machines = ['web', 'db', 'cache'].map(id => ({ id, image: { template: 'debian-12' }, node: 'pve1' }));
const names = machines.map(({ id }) => id);
const SETTINGS = {
  RECONCILE_INTERVAL: '1s',
  METRICS_BIND_ADDRESS: '0',
  HEALTH_PROBE_BIND_ADDRESS: '0',
  STATUS_BIND_ADDRESS: '0',
};

let lab: CliLab;
let folder: string;
beforeEach(async () => {
  lab = await cliLab({ taskMs: 150 });
  folder = mkdtempSync(join(tmpdir(), 'daemon-'));
});
afterEach(async () => {
  await lab.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = () => {
  const file = join(folder, 'desired.json');
  writeFileSync(file, desiredText(machines));
  return start(['run', '--spec', file], { ...lab.access, ...SETTINGS });
};

test.each([
  ['before it reads', 'Started the daemon'],
  ['when it begins to make machines', 'Started machine='],
  ['when one is made', 'Successfully created VM'],
  ['when one is started', 'action=starting'],
])('SIGTERM %s: it exits with 0, and a later run completes what it began', async (_, moment) => {
  const daemon = begin();
  await daemon.said(moment);
  daemon.child.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Stopped') });
  expect(await lab.people('reconcile', machines)).toMatchObject({ code: 0 });
  expect(names.map(name => lab.guests(name).length)).toEqual([1, 1, 1]);
  expect(await lab.people('plan', machines, ['--check'])).toMatchObject({ code: 0 });
});

test('SIGTERM while a machine is stopped to be started again, and never stops: it says so, and exits all the same', async () => {
  const file = join(folder, 'desired.json');
  const db = {
    id: 'db',
    image: { blank: true },
    node: 'pve1',
    restart: 'whenNeeded',
    shutdownTimeout: '10m',
  };
  writeFileSync(file, desiredText([db]));
  expect((await lab.people('reconcile', [db])).code).toBe(0);
  const clock = join(process.cwd(), 'test', 'support', 'day', 'fast-clock.cjs');
  const fast = { NODE_OPTIONS: `--require ${clock}`, CLOCK_SCALE: '10', CLOCK_START: String(Date.now()) };
  const daemon = start(['run', '--spec', file], { ...lab.access, ...SETTINGS, ...fast });
  await daemon.said('Read the desired state');
  // nobody in the guest hears the power button
  writeFileSync(file, desiredText([{ ...db, memory: '3Gi', cpu: { cores: 3 } }]));
  await daemon.said('action=restarting');
  await lab.asked(`/nodes/pve1/qemu/${lab.guests('db')[0]?.vmid}/status/shutdown`);
  daemon.child.kill('SIGTERM');
  const { code, stderr } = await daemon.ended;
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^\S+Z WARN SIGTERM: nothing more is started; under way in Proxmox: \| db: restarting/m,
    ),
  });
  // it has not waited for what takes ten minutes, and has not said so
  expect(stderr).toContain('waits at most 25s. After that the next run starts it.');
  expect(lab.guests('db').map(({ running }) => running !== null)).toEqual([true]);
});

test('a second signal ends it at once', async () => {
  lab.simulator.faults.add({
    methods: ['POST'],
    path: '/**',
    effect: { kind: 'slow', ms: 600_000, work: 'not-done' },
  });
  const daemon = begin();
  await daemon.said('Started machine=');
  daemon.child.kill('SIGTERM');
  await daemon.said('nothing more is started');
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).not.toBeNull();
});

test('killed outright, and a later daemon completes', async () => {
  const first = begin();
  await first.said('Successfully created VM');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = begin();
  const allRun = (): boolean => names.every(name => lab.guests(name).some(({ running }) => running !== null));
  while (!allRun()) await new Promise(resolve => setTimeout(resolve, 20));
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(names.map(name => lab.guests(name).length)).toEqual([1, 1, 1]);
});

test('an address that is taken: exit 2, and which variable to change', async () => {
  const { port } = new URL(lab.simulator.url);
  const daemon = start(
    ['run', '--spec', '-'],
    { ...lab.access, ...SETTINGS, METRICS_BIND_ADDRESS: `127.0.0.1:${port}` },
    desiredText(machines),
  );
  expect(await daemon.ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('METRICS_BIND_ADDRESS: 127.0.0.1:'),
  });
});

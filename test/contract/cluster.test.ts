import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import world from './recordings/world.json';
import { keyOf, takeInventory } from '../support/contract/inventory';
import type { Cluster } from '../support/contract/replay-there';
import { cleanAbandoned, replayThere } from '../support/contract/replay-there';
import { ClusterSession } from '../support/contract/session';

/** The contract suite at a cluster that it knows by its address alone: another process, with guests of others. */

const ROOT = resolve(__dirname, '..', '..');
const RECORDINGS = join(ROOT, 'test', 'contract', 'recordings');
const FOREIGN = {
  ...world,
  guests: [
    {
      vmid: 9000,
      node: 'pve1',
      config: { name: 'customer-db', scsi0: 'local:9000/vm-9000-disk-0.raw,size=1G' },
    },
  ],
  pools: [{ poolid: 'customers', vms: [9000] }],
  volumes: [...world.volumes, { node: 'pve1', volid: 'local:9000/vm-9000-disk-0.raw', size: 1024 ** 3 }],
};

let folder: string;
let simulator: ChildProcess;
let cluster: Cluster;
let session: ClusterSession;
let before: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'));
  writeFileSync(join(folder, 'world.json'), JSON.stringify(FOREIGN));
  const world = ['--world', join(folder, 'world.json')];
  const program = [join(ROOT, 'dist', 'simulator.cjs'), ...world, '--password', 'real', '--time-scale', '60'];
  simulator = spawn(process.execPath, [...program, '--port', '0', '--seed', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url } = await firstLine(simulator);
  cluster = { endpoint: url, password: 'real', journal: join(folder, 'journal.json') };
  session = new ClusterSession(`${url}/api2/json`, 'root@pam', 'real');
  before = await state();
});
afterEach(() => {
  simulator.kill('SIGTERM');
  rmSync(folder, { recursive: true });
});

async function firstLine(child: ChildProcess): Promise<{ url: string }> {
  for await (const line of createInterface({ input: child.stdout! }))
    return JSON.parse(line) as { url: string };
  throw new Error('the simulator did not start');
}

/** Everything that stands there, and the foreign guest to the letter. */
async function state(): Promise<string[]> {
  const config = await session.get('/nodes/pve1/qemu/9000/config');
  const options = await session.get('/cluster/options');
  const facts = [config, options].flatMap(each =>
    Object.entries(each as object).map(fact => JSON.stringify(fact)),
  );
  return [...(await takeInventory(session)).map(keyOf), ...facts].sort();
}

/** A recording of its own: the first steps of another one. */
function cutOff(
  recording: string,
  steps: number,
  change: (steps: { expect: { status: number } }[]) => void,
): string {
  const whole = JSON.parse(readFileSync(join(RECORDINGS, recording), 'utf8')) as { steps: never[] };
  const kept = whole.steps.slice(0, steps);
  change(kept);
  writeFileSync(join(folder, recording), JSON.stringify({ ...whole, steps: kept }));
  return recording;
}

test('plays beside the guests of others, and leaves nothing', async () => {
  for (const recording of ['g1-pool-visibility.json', 'b3-access-admin.json', 'h5-clone-variants.json']) {
    expect(await replayThere(cluster, recording)).toEqual({ failures: [], left: [] });
  }
  expect(await state()).toEqual(before);
});

test('removes what a recording made that failed, and that had locked it', async () => {
  const recording = cutOff('g5-locks.json', 14, steps => (steps[4]!.expect.status = 599));
  const { failures, left } = await replayThere(cluster, recording, folder);
  expect(failures).toEqual([expect.stringMatching(/^step 5: status: recorded 599/)]);
  expect(left).toEqual([]);
  expect(await state()).toEqual(before);
});

test('puts back the options of the datacenter', async () => {
  const recording = cutOff('c4-options.json', 4, () => undefined);
  expect((await replayThere(cluster, recording, folder)).left).toEqual([]);
  expect(await state()).toEqual(before);
});

test('touches nothing where the ids of a recording are taken', async () => {
  await session.change('POST', '/nodes/pve1/qemu', { vmid: 451, name: 'customer-web' });
  await expect(replayThere(cluster, 'h5-clone-variants.json')).rejects.toThrow(
    'h5-clone-variants.json would meet what is not its own: guest 451 pve1. Nothing was changed.',
  );
  expect(await session.change('DELETE', '/nodes/pve1/qemu/451')).toBeUndefined();
  expect(await state()).toEqual(before);
});

describe('a run that was killed', () => {
  beforeEach(async () => {
    const program = ['--import', 'tsx', 'test/contract/cluster.ts', 'h5'];
    const env = {
      ...process.env,
      PVE_TEST_ENDPOINT: cluster.endpoint,
      PVE_TEST_PASSWORD: cluster.password,
      PVE_TEST_JOURNAL: cluster.journal,
    };
    const run = spawn(process.execPath, program, { cwd: ROOT, env, detached: true, stdio: 'ignore' });
    const ended = new Promise(resolve => run.on('close', resolve));
    // the first clone is there: four guests and more are still to come
    const vmids = async () => (await session.rows('/nodes/pve1/qemu')).map(({ vmid }) => Number(vmid));
    while (!(await vmids()).includes(451)) await pause(5);
    process.kill(-run.pid!, 'SIGKILL');
    await ended;
    // what it had begun ends
    while ((await session.rows('/nodes/pve1/tasks?source=active')).length > 0) await pause(5);
  });

  test('is cleaned up by the next, which then plays', async () => {
    expect(await state()).not.toEqual(before);
    expect(await replayThere(cluster, 'h5-clone-variants.json')).toEqual({ failures: [], left: [] });
    expect(await state()).toEqual(before);
  });

  test('gets nothing removed that was made later, and says so', async () => {
    // more than the minute in which a request of the run could still arrive
    await pause(1500);
    await session.change('POST', '/nodes/pve1/qemu', { vmid: 456, name: 'customer-web' });
    const left = [
      'guest 456 pve1: it is not known to be of the run that was broken off; remove it by hand if it is',
    ];
    expect(await cleanAbandoned(cluster)).toEqual(left);
    expect(await replayThere(cluster, 'g0-boot-order.json')).toMatchObject({ left, failures: [] });
    expect((await state()).filter(key => !before.includes(key))).toEqual(['guest 456 pve1']);
    await session.change('DELETE', '/nodes/pve1/qemu/456');
    expect(await cleanAbandoned(cluster)).toEqual([]);
    expect(await state()).toEqual(before);
  });
});

import * as z from 'zod';
import { foreignTask } from '../../support/cluster/foreign-task';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { until } from '../../support/processes/shared-lab';
import { blankMachine } from '../../support/runs/blank-machine';

// Proxmox, when a node is shut down: pve-guests.service asks for `stopall`, which shuts down one guest after the other. The
// API answers until it has ended; then the node ends, and with it, hard, whatever runs again (assumed: no recording)

const web: Json = { ...blankMachine, power: 'running', restart: 'whenNeeded', hotplug: [] };
const slow: Json = { ...web, id: 'slow' };
const AT = '/nodes/pve1/qemu/10000';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 0, timeScale: 50 });
  expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
});
afterEach(() => cluster.close());

const guest = (vmid = 10_000) => cluster.world.guests[vmid]!;
const starts = (): number =>
  cluster.simulator.ledger
    .entries()
    .filter(({ method, path }) => method === 'POST' && path === `${AT}/status/start`).length;
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

test('what a node shut down that goes down itself is not started again while it stops the others', async () => {
  expect(errorsOf(await cluster.run(desired([web, slow])))).toEqual([]);
  guest(10_000).system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  guest(10_001).system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: false };
  cluster.simulator.ledger.reset();
  await cluster.withRun(({ pve }) =>
    pve.call({ method: 'POST', path: '/nodes/pve1/stopall', answer: z.string() }),
  );
  await until(() => guest().running === null);
  const ended = cluster.run(desired([web]));
  await pause(1_000);
  expect({ runs: guest().running !== null, starts: starts() }).toEqual({ runs: false, starts: 0 });
  expect(guest(10_001).running).not.toBeNull();
  expect(errorsOf(await ended)).toEqual([]);
  expect({ slow: guest(10_001).running, runs: guest().running !== null }).toEqual({ slow: null, runs: true });
});

test.each(['stopall', 'suspendall', 'startall'])(
  'a start waits for a %s of the node, and says so',
  async type => {
    const task = foreignTask(cluster.simulator, { type, id: '', user: 'root@pam' });
    guest().running = null;
    const ended = cluster.bring(web);
    await until(() => cluster.events.some(({ kind }) => kind === 'progress' || kind === 'warning'));
    expect(starts()).toBe(1);
    const lines = cluster.events.flatMap(event => ('text' in event ? [event.text] : []));
    expect(lines.join(' ')).toMatch(new RegExp(`waits for ${type} by root@pam on pve1 since `));
    task.stop();
    expect(await ended).toEqual([]);
    expect(guest().running).not.toBeNull();
  },
);

test('a restart waits for it too, and a change that stops and starts nothing does not', async () => {
  const task = foreignTask(cluster.simulator, { type: 'stopall', id: '', user: 'root@pam' });
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  const { pid } = guest().running!;
  expect(await cluster.bring({ ...web, tags: ['new'] })).toEqual([]);
  expect(guest().config['tags']).toContain('new');
  const ended = cluster.bring({ ...web, memory: '2Gi' });
  await pause(500);
  expect(guest().running?.pid).toBe(pid);
  task.stop();
  expect(await ended).toEqual([]);
  expect(guest().running?.pid).not.toBe(pid);
});

test('nothing waits for what another node does, or for machines that move', async () => {
  guest().running = null;
  foreignTask(cluster.simulator, { type: 'stopall', id: '', node: 'pve2', user: 'root@pam' });
  foreignTask(cluster.simulator, { type: 'migrateall', id: '', user: 'root@pam' });
  expect(await cluster.bring(web)).toEqual([]);
  expect(guest().running).not.toBeNull();
});

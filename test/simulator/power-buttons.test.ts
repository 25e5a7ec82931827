import { applyEvent } from '../../simulator/events/apply';
import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';

// buttons that dashboards have beside those of machines; nothing of them is recorded

const NODE = '/nodes/pve2';
const CONTAINER = `${NODE}/lxc/300`;

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  const { system } = await machine();
  cluster.world.guests[300] = { ...container(), system };
});
afterEach(() => cluster.close());

const container = () => ({
  vmid: 300,
  type: 'lxc' as const,
  node: 'pve2',
  config: { hostname: 'dns' },
  pending: {},
  pendingDelete: {},
  snapshots: {},
  running: null,
  cloudInitImage: null,
});

async function machine() {
  await cluster.run('POST', `${NODE}/qemu`, { vmid: 400, memory: 64, onboot: 1 });
  const guest = cluster.world.guests[400];
  if (!guest) throw new Error('the machine was not made');
  return guest;
}

const press = (button: string) => cluster.run('POST', `${CONTAINER}/status/${button}`);
const refused = (button: string) => cluster.refusal('POST', `${CONTAINER}/status/${button}`);

it('starts, restarts and ends a container', async () => {
  expect(await press('start')).toMatchObject({ exitstatus: 'OK', type: 'vzstart', id: '300' });
  expect(await refused('start')).toBe('500 CT 300 already running');
  expect(await press('reboot')).toMatchObject({ exitstatus: 'OK', type: 'vzreboot' });
  await cluster.pass(5000);
  expect(await cluster.data('GET', `${CONTAINER}/status/current`)).toMatchObject({
    status: 'running',
    uptime: 5,
  });
  expect(await press('shutdown')).toMatchObject({ exitstatus: 'OK', type: 'vzshutdown' });
  expect(await refused('stop')).toBe('500 CT 300 not running');
  expect(await refused('reboot')).toBe('500 VM 300 not running');
});

it('leaves a container alone that has a lock, is a template, or lives elsewhere', async () => {
  const { config } = cluster.world.guests[300] ?? container();
  Object.assign(config, { lock: 'backup' });
  expect((await press('start')).exitstatus).toBe('CT is locked (backup)');
  Object.assign(config, { lock: 'backup', template: '1' });
  expect((await cluster.run('POST', `${CONTAINER}/status/start`, { skiplock: 1 })).exitstatus).toBe(
    "you can't start a CT if it's a template",
  );
  expect(await cluster.refusal('POST', '/nodes/pve1/lxc/300/status/start')).toBe(
    "500 Configuration file 'nodes/pve1/lxc/300.conf' does not exist",
  );
});

it('leaves a container to its buttons that HA manages', async () => {
  await press('start');
  await cluster.data('POST', '/cluster/ha/resources', { sid: 'ct:300' });
  await cluster.pass(30_000);
  await press('stop');
  await cluster.pass(60_000);
  expect(await cluster.data('GET', `${CONTAINER}/status/current`)).toMatchObject({
    status: 'stopped',
    ha: { managed: 1, state: 'started' },
  });
  expect(await cluster.data('GET', `${NODE}/tasks`, { source: 'all', typefilter: 'qmstart' })).toEqual([]);
});

it('does not start the guests again of a server that was brought back before it had booted', async () => {
  await cluster.data('POST', `${NODE}/status`, { command: 'reboot' });
  await cluster.pass(3000);
  applyEvent(cluster.simulator.sim, { kind: 'node', action: 'node-up', node: 'pve2' });
  await cluster.pass(70_000);
  expect(cluster.world.guests[400]?.running).toBeNull();
});

it('takes a server down, and starts its guests with it when it comes back', async () => {
  expect(await cluster.data('POST', `${NODE}/status`, { command: 'reboot' })).toBeNull();
  await cluster.pass(3000);
  expect(await cluster.refusal('GET', `${NODE}/status`)).toBe('595 No route to host');
  await cluster.pass(70_000);
  expect(cluster.world.guests[400]?.running).not.toBeNull();
  expect(await cluster.data('GET', `${NODE}/tasks`, { typefilter: 'startall' })).toMatchObject([
    { user: 'root@pam' },
  ]);
  await cluster.data('POST', `${NODE}/status`, { command: 'shutdown' });
  await cluster.pass(100_000);
  expect(cluster.world.nodes.find(({ name }) => name === 'pve2')?.online).toBe(false);
});

it('suspends all machines of a server to disk', async () => {
  await cluster.run('POST', `${NODE}/qemu`, { vmid: 401, memory: 64, scsi0: 'local:1' });
  await cluster.run('POST', `${NODE}/qemu/401/status/start`);
  const { exitstatus, log } = await cluster.run('POST', `${NODE}/suspendall`);
  expect([exitstatus, ...log]).toEqual([
    'OK',
    'VM 400 not running, skipping suspension',
    'Suspending VM 401',
    'TASK OK',
  ]);
  expect(cluster.world.guests[401]?.config['lock']).toBe('suspended');
});

import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';
import { applyEvent } from '../../simulator/events/apply';
import type { NodeAction } from '../../simulator/events/event';
import { defaultWorld } from '../../simulator';

/** What becomes of HA guests when nodes go and come back: pve-ha-manager's Manager.pm and NodeStatus.pm as read. */

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster({ world: defaultWorld(3) });
});
afterEach(() => cluster.close());

type Row = Record<string, unknown>;

async function manage(vmid: number, node: string, more: Record<string, string> = {}): Promise<void> {
  await cluster.run('POST', `/nodes/${node}/qemu`, { vmid, memory: 64 });
  await cluster.data('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, ...more });
}
const event = (action: NodeAction, node: string): void =>
  applyEvent(cluster.simulator.sim, { kind: 'node', action, node });
const place = (vmid: number): string => {
  const guest = cluster.world.guests[vmid];
  return `${guest?.node} ${guest?.running ? 'running' : 'stopped'}`;
};
const rows = async (): Promise<Row[]> => (await cluster.data('GET', '/cluster/ha/status/current')) as Row[];
const state = async (vmid: number): Promise<unknown> =>
  (await rows()).find(({ sid }) => sid === `vm:${vmid}`)?.['state'];
const nodeStates = async (): Promise<unknown> =>
  ((await cluster.data('GET', '/cluster/ha/status/manager_status')) as { manager_status: Row })
    .manager_status['node_status'];
const rule = (params: Record<string, string>): Promise<unknown> =>
  cluster.data('POST', '/cluster/ha/rules', { rule: 'r1', ...params });

describe('a node that dies', () => {
  it('is fenced after a minute, and its guests are recovered when its lock has run out', async () => {
    await manage(400, 'pve2');
    await cluster.pass(20_000);
    expect(place(400)).toBe('pve2 running');
    event('node-down', 'pve2');
    await cluster.pass(20_000);
    expect(await state(400)).toBe('starting');
    expect(await nodeStates()).toEqual({ pve1: 'online', pve2: 'unknown', pve3: 'online' });
    await cluster.pass(50_000);
    expect(await state(400)).toBe('fence');
    expect(await nodeStates()).toMatchObject({ pve2: 'fence' });
    const [, , , , local] = await rows();
    expect(local?.['status']).toMatch(/^pve2 \(old timestamp - dead\?, watchdog standby, /);
    expect(place(400)).toBe('pve2 stopped');
    await cluster.pass(70_000);
    expect(place(400)).toBe('pve1 running');
    expect(await state(400)).toBe('started');
  });

  it('starts its guests again itself when it is back within the minute', async () => {
    await manage(400, 'pve2');
    await cluster.pass(20_000);
    event('node-down', 'pve2');
    await cluster.pass(30_000);
    event('node-up', 'pve2');
    await cluster.pass(30_000);
    expect(place(400)).toBe('pve2 running');
    expect(await nodeStates()).toMatchObject({ pve2: 'online' });
  });

  it('keeps the guests that are told to be disabled, and those that the manager ignores', async () => {
    await manage(400, 'pve2', { state: 'disabled' });
    await manage(401, 'pve2', { state: 'ignored' });
    await manage(402, 'pve2', { state: 'stopped' });
    await cluster.pass(30_000);
    event('node-down', 'pve2');
    await cluster.pass(200_000);
    expect([400, 401, 402].map(place)).toEqual(['pve2 stopped', 'pve2 stopped', 'pve1 stopped']);
  });

  it('with the manager on it costs the time of the manager lock before that', async () => {
    await manage(400, 'pve3');
    await cluster.pass(20_000);
    expect((await rows())[1]).toMatchObject({ type: 'master', node: 'pve3' });
    event('node-down', 'pve3');
    await cluster.pass(110_000);
    expect((await rows())[1]?.['status']).toMatch(/^pve3 \(old timestamp - dead\?, /);
    await cluster.pass(20_000);
    expect((await rows())[1]).toMatchObject({ node: 'pve2' });
    expect(place(400)).toBe('pve3 stopped');
    await cluster.pass(150_000);
    expect(place(400)).toBe('pve1 running');
  });

  it('that is only cut off resets itself: no guest runs twice', async () => {
    await manage(400, 'pve2');
    await cluster.pass(20_000);
    event('quorum-loss', 'pve2');
    await cluster.pass(60_000);
    expect(place(400)).toBe('pve2 running');
    await cluster.pass(90_000);
    expect(place(400)).toBe('pve1 running');
  });

  it('leaves a lock behind that the recovery takes away', async () => {
    await manage(400, 'pve2');
    await cluster.pass(20_000);
    const guest = cluster.world.guests[400];
    if (guest) guest.config['lock'] = 'backup';
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    expect(place(400)).toBe('pve1 running');
    expect(guest?.config).not.toHaveProperty('lock');
  });
});

describe('rules decide where a guest goes', () => {
  it('to the nodes of the highest priority that are there, and back when a better one returns', async () => {
    await manage(400, 'pve2');
    await rule({ type: 'node-affinity', resources: 'vm:400', nodes: 'pve2:2,pve3:1' });
    await cluster.pass(20_000);
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    expect(place(400)).toBe('pve3 running');
    event('node-up', 'pve2');
    await cluster.pass(60_000);
    expect(place(400)).toBe('pve2 running');
  });

  it('not back where the resource says no to that', async () => {
    await manage(400, 'pve2', { failback: '0' });
    await rule({ type: 'node-affinity', resources: 'vm:400', nodes: 'pve2:2,pve3:1' });
    await cluster.pass(20_000);
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    event('node-up', 'pve2');
    await cluster.pass(60_000);
    expect(place(400)).toBe('pve3 running');
  });

  it('a strict rule keeps it in recovery until its node is back, or it is disabled', async () => {
    for (const vmid of [400, 401]) await manage(vmid, 'pve2');
    await rule({ type: 'node-affinity', resources: 'vm:400,vm:401', nodes: 'pve2', strict: '1' });
    await cluster.pass(20_000);
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    expect(await state(400)).toBe('recovery');
    await cluster.data('PUT', '/cluster/ha/resources/vm:401', { state: 'disabled' });
    await cluster.pass(10_000);
    expect(await state(401)).toBe('disabled');
    event('node-up', 'pve2');
    await cluster.pass(40_000);
    expect([400, 401].map(place)).toEqual(['pve2 running', 'pve2 stopped']);
  });

  it('a rule that is not strict lets it go anywhere', async () => {
    await manage(400, 'pve2');
    await rule({ type: 'node-affinity', resources: 'vm:400', nodes: 'pve2' });
    await cluster.pass(20_000);
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    expect(place(400)).toBe('pve1 running');
  });

  it('apart from those that it must not be with', async () => {
    await manage(400, 'pve2');
    await manage(401, 'pve1');
    await cluster.pass(20_000);
    await rule({ type: 'resource-affinity', affinity: 'negative', resources: 'vm:400,vm:401' });
    event('node-down', 'pve2');
    await cluster.pass(170_000);
    expect([400, 401].map(place)).toEqual(['pve3 running', 'pve1 running']);
  });
});

it('a guest that does not start is tried elsewhere once, and then given up', async () => {
  await manage(400, 'pve1');
  await cluster.pass(20_000);
  const guest = cluster.world.guests[400];
  if (guest) Object.assign(guest, { running: null });
  if (guest) guest.config['net0'] = 'virtio=BC:24:11:00:00:01,bridge=gone';
  await cluster.pass(200_000);
  expect(await state(400)).toBe('error');
  const { manager_status: told } = (await cluster.data('GET', '/cluster/ha/status/manager_status')) as {
    manager_status: { service_status: Row };
  };
  expect(told.service_status['vm:400']).toMatchObject({ failed_nodes: ['pve1', 'pve2'] });
});

describe('HA that was disarmed (assumed)', () => {
  const HA = '/cluster/ha/status';
  const fencing = async () => (await rows()).find(({ type }) => type === 'fencing');

  it('fences and recovers nothing until it is armed again', async () => {
    await manage(400, 'pve2');
    await cluster.pass(20_000);
    expect(await cluster.refusal('POST', `${HA}/disarm-ha`)).toMatch(
      /^400 .*property is missing and it is not optional/,
    );
    await cluster.data('POST', `${HA}/disarm-ha`, { 'resource-mode': 'freeze' });
    expect(await fencing()).toMatchObject({ 'armed-state': 'disarming', resource_mode: 'freeze' });
    await cluster.pass(20_000);
    expect(await fencing()).toMatchObject({ 'armed-state': 'disarmed' });
    event('node-down', 'pve2');
    await cluster.pass(300_000);
    expect(place(400)).toBe('pve2 stopped');
    await cluster.data('POST', `${HA}/arm-ha`);
    await cluster.pass(300_000);
    expect(place(400)).toMatch(/^pve[13] running$/);
    expect(await fencing()).toMatchObject({ 'armed-state': 'armed' });
  });

  it('with ignore leaves guests to whoever asks', async () => {
    await manage(400, 'pve1');
    await cluster.pass(20_000);
    await cluster.data('POST', `${HA}/disarm-ha`, { 'resource-mode': 'ignore' });
    expect(await cluster.run('POST', '/nodes/pve1/qemu/400/status/stop')).toMatchObject({ type: 'qmstop' });
    await cluster.pass(60_000);
    expect(place(400)).toBe('pve1 stopped');
  });
});

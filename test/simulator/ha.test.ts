import type { Simulator } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
beforeEach(async () => (simulator = await startCluster({ timeScale: 'held' })));
afterEach(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
const send = async (method: string, path: string, form?: Record<string, string>) => {
  const { status, reason, json } = await ask(simulator, method, path, form ? { form } : {});
  return json.errors ?? [status, reason];
};
const pass = (ms: number) => simulator.sim.clock.advance(ms);
const OK = [200, 'OK'];
type Row = Record<string, unknown>;

const manage = (vmid: number, more: Record<string, string> = {}) =>
  send('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, ...more });
const hastate = async (vmid: number) =>
  (await get(`/cluster/ha/status/current`)).find((row: Row) => row['sid'] === `vm:${vmid}`);
const runs = (vmid: number) => simulator.world.guests[vmid]?.running !== null;

/** A second guest without disks, which can run anywhere. */
function addGuest(vmid: number, node: string): void {
  const guest = structuredClone(simulator.world.guests[100]!);
  const config = { name: `vm${vmid}`, memory: '512', boot: ' ' };
  simulator.world.guests[vmid] = { ...guest, vmid, node, config, running: null };
}

describe('resources', () => {
  it('are made of guests that exist, once', async () => {
    expect(await manage(777)).toEqual([500, "resource 'vm:777' does not exist in cluster"]);
    expect(await send('POST', '/cluster/ha/resources', { sid: 'foo:1' })).toEqual([
      500,
      "unknown section type 'foo'",
    ]);
    expect(await send('POST', '/cluster/ha/resources', { sid: '100', max_restart: '3' })).toEqual(OK);
    expect(await manage(100)).toEqual([500, "create resource failed: resource ID 'vm:100' already defined"]);
    expect(await get('/cluster/ha/resources')).toEqual([
      { sid: 'vm:100', type: 'vm', max_restart: 3, digest: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
    expect(
      await send('PUT', '/cluster/ha/resources/vm:100', { delete: 'max_restart', state: 'stopped' }),
    ).toEqual(OK);
    expect(await get('/cluster/ha/resources/vm:100')).toMatchObject({ state: 'stopped' });
    expect(await send('PUT', '/cluster/ha/resources/vm:100', { delete: 'bogus' })).toEqual([
      500,
      "update resources config failed: no such option 'bogus'",
    ]);
    expect(await send('DELETE', '/cluster/ha/resources/vm:100')).toEqual(OK);
    expect(await send('DELETE', '/cluster/ha/resources/vm:100')).toEqual([
      500,
      "cannot delete service 'vm:100', not HA managed!",
    ]);
    expect(await send('GET', '/cluster/ha/resources/vm:100')).toEqual([500, "no such resource 'vm:100'"]);
  });

  it('have the digest that Proxmox gives', async () => {
    addGuest(111, 'pve1');
    await manage(111, { state: 'started' });
    expect((await get('/cluster/ha/resources/vm:111')).digest).toBe(
      '56fe0a4a87e46e50e8ec66523b26066b5aefd799',
    );
  });
});

describe('the manager', () => {
  it('starts what shall run, after its rounds', async () => {
    addGuest(200, 'pve1');
    await manage(200);
    expect(await hastate(200)).toMatchObject({ state: 'queued', request_state: 'started' });
    expect(await hastate(200)).not.toHaveProperty('crm_state');
    await pass(5_000);
    expect(await hastate(200)).toMatchObject({ state: 'starting', crm_state: 'started' });
    await pass(10_000);
    expect(runs(200)).toBe(true);
    expect(await hastate(200)).toMatchObject({ state: 'started', node: 'pve1' });
  });

  it('lets a guest stay off that is stopped right after its resource was deleted', async () => {
    addGuest(200, 'pve1');
    await manage(200);
    await pass(25_000);
    expect(runs(200)).toBe(true);
    // a node's round comes before the manager's next one
    await send('DELETE', '/cluster/ha/resources/vm:200');
    await send('POST', '/nodes/pve1/qemu/200/status/stop');
    await pass(5_000);
    expect(runs(200)).toBe(false);
    await pass(5_000);
    expect(runs(200)).toBe(false);
  });

  it('takes a stop as a request: the resource reads started until the next round', async () => {
    addGuest(200, 'pve1');
    await manage(200);
    await pass(20_000);
    const stop = await ask(simulator, 'POST', '/nodes/pve1/qemu/200/status/stop', { form: {} });
    expect(stop.json.data).toContain(':hastop:200:');
    expect(await get('/cluster/ha/resources/vm:200')).not.toHaveProperty('state', 'stopped');
    expect(runs(200)).toBe(true);
    await pass(30_000);
    expect(runs(200)).toBe(false);
    expect(await get('/cluster/ha/resources/vm:200')).toMatchObject({ state: 'stopped' });
    expect(await hastate(200)).toMatchObject({ state: 'stopped', crm_state: 'stopped' });
  });

  it('moves a running guest when asked', async () => {
    addGuest(200, 'pve1');
    await manage(200);
    await pass(20_000);
    const asked = await ask(simulator, 'POST', '/cluster/ha/resources/vm:200/migrate', {
      form: { node: 'pve3' },
    });
    expect(asked.json.data).toEqual({ sid: 'vm:200', 'requested-node': 'pve3' });
    await pass(40_000);
    expect(simulator.world.guests[200]?.node).toBe('pve3');
    expect(runs(200)).toBe(true);
  });

  it('lets go of an ignored resource after one round', async () => {
    addGuest(200, 'pve1');
    await manage(200, { state: 'stopped' });
    await pass(30_000);
    await send('PUT', '/cluster/ha/resources/vm:200', { state: 'ignored' });
    expect((await get('/nodes/pve1/qemu/200/status/current')).ha).toEqual({ managed: 0 });
    await pass(10_000);
    expect(simulator.world.ha.services).toEqual({});
  });

  it('gives up a guest that starts nowhere, until it is disabled', async () => {
    addGuest(200, 'pve1');
    simulator.world.guests[200]!.config['net0'] = 'virtio=BC:24:11:00:00:01,bridge=none';
    await manage(200, { max_restart: '0', max_relocate: '0' });
    await pass(60_000);
    expect(await hastate(200)).toMatchObject({ state: 'error' });
    expect(await send('PUT', '/cluster/ha/resources/vm:200', { state: 'started' })).toEqual([
      500,
      "service 'vm:200' in error state, must be disabled and fixed first",
    ]);
    expect(await send('PUT', '/cluster/ha/resources/vm:200', { state: 'disabled' })).toEqual(OK);
    await pass(30_000);
    expect(await hastate(200)).toMatchObject({ state: 'disabled' });
  });

  it('takes over the guests of a node that is gone', async () => {
    addGuest(200, 'pve2');
    await manage(200);
    await pass(20_000);
    simulator.world.nodes[1]!.online = false;
    simulator.world.guests[200]!.running = null;
    await pass(200_000);
    expect(simulator.world.guests[200]?.node).not.toBe('pve2');
    expect(runs(200)).toBe(true);
  });

  it('does nothing without quorum', async () => {
    addGuest(200, 'pve1');
    await manage(200);
    simulator.world.cluster!.quorate = false;
    await pass(60_000);
    expect(runs(200)).toBe(false);
  });
});

describe('rules', () => {
  const rule = (id: string, values: Record<string, string>) =>
    send('POST', '/cluster/ha/rules', { rule: id, ...values });

  beforeEach(async () => {
    for (const vmid of [200, 201, 202]) {
      addGuest(vmid, 'pve1');
      await manage(vmid, { state: 'stopped' });
    }
  });

  it('of nodes move a guest to the nodes that they name', async () => {
    expect(await rule('r1', { type: 'node-affinity', resources: 'vm:200', nodes: 'pve2:2,pve1' })).toEqual(
      OK,
    );
    expect(await get('/cluster/ha/rules')).toEqual([
      {
        rule: 'r1',
        type: 'node-affinity',
        order: 1,
        resources: 'vm:200',
        nodes: 'pve1,pve2:2',
        digest: expect.any(String),
      },
    ]);
    await send('PUT', '/cluster/ha/resources/vm:200', { state: 'started' });
    await pass(60_000);
    expect(simulator.world.guests[200]?.node).toBe('pve2');
  });

  it('are checked against each other', async () => {
    await rule('r1', { type: 'node-affinity', resources: 'vm:200', nodes: 'pve2:2,pve1' });
    const bad = (id: string) => [500, `create ha rule failed: 400 Rule '${id}' is invalid.`];
    expect(await rule('r2', { type: 'node-affinity', resources: 'vm:200', nodes: 'pve1' })).toEqual(
      bad('r2'),
    );
    const together = { type: 'resource-affinity', affinity: 'positive' };
    expect(await rule('r3', { ...together, resources: 'vm:200,vm:201' })).toEqual(bad('r3'));
    expect(await rule('r4', { ...together, resources: 'vm:201' })).toEqual(bad('r4'));
    expect(await rule('r5', { ...together, resources: 'vm:201,vm:202' })).toEqual(OK);
    const apart = { type: 'resource-affinity', affinity: 'negative' };
    expect(await rule('r6', { ...apart, resources: 'vm:201,vm:202' })).toEqual(bad('r6'));
    expect(await rule('r1', { ...apart, resources: 'vm:201,vm:202' })).toEqual([
      500,
      "create ha rule failed: HA rule 'r1' already defined",
    ]);
  });

  it('name resources and nodes that exist', async () => {
    const nodes = { type: 'node-affinity', nodes: 'pve1' };
    expect(await rule('r1', { ...nodes, resources: 'vm:100' })).toEqual([
      500,
      'create ha rule failed: cannot use unmanaged resource(s) vm:100.',
    ]);
    expect(await rule('r1', { ...nodes, nodes: 'pve9', resources: 'vm:200' })).toEqual([
      500,
      'create ha rule failed: cannot use non-existent node(s) pve9.',
    ]);
    expect(await rule('r1', { type: 'node-affinity', resources: 'vm:200' })).toEqual({
      'oneOf[node-affinity].nodes': 'property is missing and it is not optional',
    });
  });

  it('say in the body what makes them impossible', async () => {
    await rule('r1', { type: 'node-affinity', resources: 'vm:200,vm:201', nodes: 'pve1' });
    const form = { rule: 'r2', type: 'node-affinity', resources: 'vm:200,vm:201', nodes: 'pve2' };
    const { json } = await ask(simulator, 'POST', '/cluster/ha/rules', { form });
    const used = (sid: string) => `resource '${sid}' is already used in another node affinity rule`;
    expect(json.message).toBe(
      `create ha rule failed: 400 Rule 'r2' is invalid.\nresources: ${used('vm:200')}, ${used('vm:201')}\n`,
    );
  });

  it('are judged by their type', async () => {
    const unknown = 'property is not defined in schema and the schema does not allow additional properties';
    const missing = 'property is missing and it is not optional';
    const nodes = { type: 'node-affinity', resources: 'vm:200', nodes: 'pve1' };
    expect(await rule('r1', { ...nodes, affinity: 'positive' })).toEqual({ affinity: unknown });
    expect(await rule('r1', { type: 'resource-affinity', resources: 'vm:200,vm:201' })).toEqual({
      'oneOf[resource-affinity].affinity': missing,
    });
    expect(await rule('r1', { resources: 'vm:200', nodes: 'pve1' })).toEqual({
      type: missing,
      resources: unknown,
      nodes: unknown,
    });
    await rule('r1', nodes);
    const put = (form: Record<string, string>) => send('PUT', '/cluster/ha/rules/r1', form);
    // behaviour.md §15.20
    expect(await put({ nodes: 'pve2' })).toEqual({ type: missing, nodes: unknown });
    expect(await put({ type: 'node-affinity', affinity: 'positive' })).toEqual({ affinity: unknown });
    expect(await put({ type: 'resource-affinity', comment: 'c' })).toEqual([
      500,
      "update HA rules failed: unexpected property 'type'",
    ]);
    expect(await put({ type: 'node-affinity', nodes: 'pve9' })).toEqual([
      500,
      'update HA rules failed: cannot use non-existent node(s) pve9.',
    ]);
    expect(await put({ type: 'node-affinity', comment: 'c', delete: 'comment' })).toEqual([
      500,
      "update HA rules failed: cannot set and delete property 'comment' at the same time!",
    ]);
    expect(await send('PUT', '/cluster/ha/rules/none', { type: 'node-affinity', nodes: 'pve1' })).toEqual([
      500,
      "update HA rules failed: HA rule 'none' does not exist",
    ]);
  });

  it('keep their type', async () => {
    await rule('r1', { type: 'node-affinity', resources: 'vm:200', nodes: 'pve1' });
    const change = { type: 'resource-affinity', affinity: 'positive' };
    expect(await send('PUT', '/cluster/ha/rules/r1', change)).toEqual([
      500,
      "update HA rules failed: unexpected property 'affinity'",
    ]);
  });

  it('change, and go with their last resource', async () => {
    await rule('r1', { type: 'node-affinity', resources: 'vm:200,vm:201', nodes: 'pve1', comment: 'c' });
    const change = { type: 'node-affinity', strict: '1', delete: 'comment' };
    expect(await send('PUT', '/cluster/ha/rules/r1', change)).toEqual(OK);
    expect(await get('/cluster/ha/rules/r1')).toMatchObject({ strict: 1, resources: 'vm:200,vm:201' });
    expect(await get('/cluster/ha/rules/r1')).not.toHaveProperty('comment');
    await send('DELETE', '/cluster/ha/resources/vm:200');
    expect(await get('/cluster/ha/rules/r1')).toMatchObject({ resources: 'vm:201' });
    await send('DELETE', '/cluster/ha/resources/vm:201');
    expect(await get('/cluster/ha/rules')).toEqual([]);
    expect(await send('DELETE', '/cluster/ha/rules/r1')).toEqual(OK);
    expect(await send('GET', '/cluster/ha/rules/r1')).toEqual([500, "no such ha rule 'r1'"]);
  });
});

describe('a move by hand', () => {
  const affinity = (kind: string) =>
    send('POST', '/cluster/ha/rules', {
      rule: 'r1',
      type: 'resource-affinity',
      affinity: kind,
      resources: 'vm:200,vm:201',
    });
  const ask201 = async () =>
    (await ask(simulator, 'POST', '/cluster/ha/resources/vm:201/migrate', { form: { node: 'pve2' } })).json
      .data;
  const nodes = () => [200, 201].map(vmid => simulator.world.guests[vmid]?.node);

  it('takes along what must be beside the resource', async () => {
    addGuest(200, 'pve1');
    addGuest(201, 'pve1');
    for (const vmid of [200, 201]) await manage(vmid);
    await affinity('positive');
    await pass(30_000);
    expect(await get('/nodes/pve1/qemu/201/migrate')).toMatchObject({
      allowed_nodes: ['pve2', 'pve3'],
      'dependent-ha-resources': ['vm:200'],
    });
    expect(await ask201()).toEqual({
      sid: 'vm:201',
      'requested-node': 'pve2',
      'comigrated-resources': ['vm:200'],
    });
    await pass(40_000);
    expect(nodes()).toEqual(['pve2', 'pve2']);
  });

  it('does not happen where something is that must be elsewhere', async () => {
    addGuest(200, 'pve2');
    addGuest(201, 'pve1');
    for (const vmid of [200, 201]) await manage(vmid);
    // before the manager acts it knows of no nodes
    expect(await affinity('negative')).toEqual([500, "create ha rule failed: 400 Rule 'r1' is invalid."]);
    await pass(30_000);
    expect(await affinity('negative')).toEqual(OK);
    const blocking = [{ sid: 'vm:200', cause: 'resource-affinity' }];
    expect(await get('/nodes/pve1/qemu/201/migrate')).toMatchObject({
      allowed_nodes: ['pve3'],
      not_allowed_nodes: { pve2: { 'blocking-ha-resources': blocking } },
      'dependent-ha-resources': [],
    });
    expect(await ask201()).toEqual({
      sid: 'vm:201',
      'requested-node': 'pve2',
      'blocking-resources': blocking,
    });
    await pass(40_000);
    expect(nodes()).toEqual(['pve2', 'pve1']);
  });

  it('that is asked of the guest says what comes along, and fails at once where it will not happen', async () => {
    addGuest(200, 'pve2');
    addGuest(201, 'pve1');
    for (const vmid of [200, 201]) await manage(vmid);
    await pass(30_000);
    const task = async (target: string) => {
      const form = { target, online: '1' };
      const upid = (await ask(simulator, 'POST', '/nodes/pve1/qemu/201/migrate', { form })).json.data;
      await pass(5000);
      const log = await get(`/nodes/pve1/tasks/${encodeURIComponent(upid)}/log`);
      return log.map(({ t }: { t: string }) => t).slice(1);
    };
    await affinity('negative');
    expect(await task('pve2')).toEqual([
      "cannot migrate resource 'vm:201' to node 'pve2':",
      '',
      "- resource 'vm:200' on target node 'pve2' in negative affinity with resource 'vm:201'",
      "TASK ERROR: command 'ha-manager migrate vm:201 pve2' failed: exit code 255",
    ]);
    await send('DELETE', '/cluster/ha/rules/r1');
    await affinity('positive');
    expect(await task('pve3')).toEqual([
      "also migrate resource 'vm:200' in positive affinity with resource 'vm:201' to target node 'pve3'",
      'TASK OK',
    ]);
  });
});

it('has no groups any more', async () => {
  expect(await send('GET', '/cluster/ha/groups')).toEqual([
    500,
    'cannot index groups: ha groups have been migrated to rules',
  ]);
});

it('tells nothing of a manager that never acted', async () => {
  const rows: Row[] = await get('/cluster/ha/status/current');
  expect(rows.map(({ id }) => id)).toEqual(['quorum', 'fencing']);
  expect(rows[1]).toMatchObject({ 'armed-state': 'standby', node: 'pve1' });
  expect(await get('/cluster/ha/status/manager_status')).toEqual({
    manager_status: {},
    quorum: { node: 'pve1', quorate: 1 },
  });
});

it('tells of the manager and of each node', async () => {
  addGuest(200, 'pve1');
  await manage(200);
  await pass(5_000);
  const rows: Row[] = await get('/cluster/ha/status/current');
  expect(rows.map(({ id }) => id)).toEqual([
    'quorum',
    'master',
    'fencing',
    'lrm:pve1',
    'lrm:pve2',
    'lrm:pve3',
    'service:vm:200',
  ]);
  expect(rows[1]?.['status']).toMatch(/^pve3 \(active, /);
  expect(rows[2]).toMatchObject({ 'armed-state': 'armed', status: 'armed (CRM watchdog active)' });
  expect(rows[3]?.['status']).toMatch(/^pve1 \(active, watchdog active, /);
  expect(rows[4]?.['status']).toMatch(/^pve2 \(idle, watchdog standby, /);
  expect(await get('/cluster/ha/status/manager_status')).toMatchObject({
    manager_status: {
      master_node: 'pve3',
      node_status: { pve1: 'online' },
      service_status: { 'vm:200': { state: 'started', node: 'pve1' } },
    },
    quorum: { node: 'pve1', quorate: 1 },
  });
  await send('DELETE', '/cluster/ha/resources/vm:200');
  await pass(1_000_000);
  expect((await get('/cluster/ha/status/current'))[1].status).toMatch(/^pve3 \(idle, /);
});

import type { Simulator } from '../../simulator';
import { defaultWorld } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
afterEach(() => simulator.close());

const get = async (path: string, headers?: Record<string, string>) =>
  (await ask(simulator, 'GET', path, headers ? { headers } : {})).json.data;
const put = (path: string, form: Record<string, string>) => ask(simulator, 'PUT', path, { form });

type Row = Record<string, unknown>;
const named = (rows: Row[], id: string): Row | undefined => rows.find(row => row['id'] === id);

function addToken(privileges: [string, string][]): Record<string, string> {
  const { access } = simulator.world;
  access.users['dev@pve'] = { enable: true, tokens: { t: { value: 'secret', privsep: false } } };
  for (const [path, roleid] of privileges) {
    access.acl.push({ path, type: 'user', ugid: 'dev@pve', roleid, propagate: true });
  }
  return { authorization: 'PVEAPIToken=dev@pve!t=secret' };
}

describe('/cluster/status', () => {
  it('has a row for the cluster and one for each node', async () => {
    simulator = await startCluster();
    const rows = await get('/cluster/status');
    expect(named(rows, 'cluster')).toEqual({
      id: 'cluster',
      type: 'cluster',
      name: 'simulated',
      nodes: 3,
      quorate: 1,
      version: 3,
    });
    expect(named(rows, 'node/pve2')).toMatchObject({ local: 0, online: 1, nodeid: 2, level: '' });
    expect(named(rows, 'node/pve1')).toMatchObject({ local: 1 });
  });

  it('has one node with the number 0 where there is no cluster', async () => {
    simulator = await startCluster({ world: defaultWorld(1) });
    expect(await get('/cluster/status')).toEqual([
      expect.objectContaining({ id: 'node/pve1', nodeid: 0, local: 1, online: 1 }),
    ]);
  });

  it('shows a node that is off, and without quorum nobody but the node itself', async () => {
    simulator = await startCluster();
    simulator.world.nodes[2]!.online = false;
    expect(named(await get('/cluster/status'), 'node/pve3')).toMatchObject({ online: 0 });
    simulator.world.cluster!.quorate = false;
    const online = (await get('/cluster/status')).map(({ id, online }: Row) => [id, online]);
    expect(online).toEqual([
      ['cluster', undefined],
      ['node/pve1', 1],
      ['node/pve2', 0],
      ['node/pve3', 0],
    ]);
  });
});

describe('/cluster/resources', () => {
  it('lists guests, nodes, storages, pools and networks', async () => {
    simulator = await startCluster();
    simulator.world.pools['web'] = { vms: [100], storages: [] };
    const rows = await get('/cluster/resources');
    expect(named(rows, 'qemu/100')).toMatchObject({
      name: 'legacy-db',
      status: 'running',
      node: 'pve3',
      pool: 'web',
      template: 0,
      maxcpu: 4,
      maxmem: 8192 * 1024 ** 2,
      maxdisk: 32 * 1024 ** 3,
    });
    expect(named(rows, 'lxc/101')).toMatchObject({ name: 'dns', type: 'lxc' });
    expect(named(rows, 'qemu/9000')).toMatchObject({ template: 1, status: 'stopped' });
    expect(named(rows, '/pool/web')).toMatchObject({ maxcpu: 4, maxmem: 8192 * 1024 ** 2 });
    expect(named(rows, 'storage/pve2/local-lvm')).toMatchObject({ status: 'available', shared: 0, disk: 0 });
    expect(named(rows, 'network/pve2/zone/localnetwork')).toMatchObject({ 'network-type': 'zone' });
    expect(new Set(rows.map(({ id }: Row) => id)).size).toBe(rows.length);
  });

  it.each([
    ['vm', ['lxc', 'qemu']],
    ['node', ['node']],
    ['storage', ['storage']],
    ['sdn', []],
  ])('of type %s', async (type, kinds) => {
    simulator = await startCluster();
    const rows = await get(`/cluster/resources?type=${type}`);
    expect([...new Set(rows.map((row: Row) => row['type']))].sort()).toEqual(kinds);
  });

  it('knows no type pool', async () => {
    simulator = await startCluster();
    expect((await ask(simulator, 'GET', '/cluster/resources?type=pool')).json.errors).toEqual({
      type: "value 'pool' does not have a value in the enumeration 'vm, storage, node, sdn'",
    });
  });

  it('shows a stranger the nodes and no numbers, and each user what he may audit', async () => {
    simulator = await startCluster();
    const dev = addToken([['/vms/100', 'PVEVMUser']]);
    const rows: Row[] = await get('/cluster/resources', dev);
    expect(rows.map(({ id }) => id).sort()).toEqual(['node/pve1', 'node/pve2', 'node/pve3', 'qemu/100']);
    expect(named(rows, 'node/pve1')).toEqual({
      id: 'node/pve1',
      node: 'pve1',
      type: 'node',
      status: 'online',
      level: '',
      hastate: 'online',
      'cgroup-mode': 2,
    });
  });

  it('shows guests of a pool to those who may audit the pool’s guests', async () => {
    simulator = await startCluster();
    simulator.world.pools['web'] = { vms: [9001], storages: [] };
    const dev = addToken([['/pool/web', 'PVEVMAdmin']]);
    expect((await get('/cluster/resources?type=vm', dev)).map(({ vmid }: Row) => vmid)).toEqual([9001]);
  });

  it('shows a node that is off without numbers, and its guests as unknown', async () => {
    simulator = await startCluster();
    simulator.world.nodes[2]!.online = false;
    simulator.world.guests[100]!.running = null;
    const rows = await get('/cluster/resources');
    expect(named(rows, 'node/pve3')).toMatchObject({ status: 'offline' });
    expect(named(rows, 'node/pve3')).not.toHaveProperty('maxcpu');
    expect(named(rows, 'qemu/100')).toMatchObject({ status: 'unknown', node: 'pve3' });
    expect(named(rows, 'storage/pve3/local')).toMatchObject({ status: 'unknown' });
  });

  it('lags: names and states wait for the next round, places, locks and tags do not', async () => {
    simulator = await startCluster({ timeScale: 'held', lagMs: 10_000 });
    const guest = simulator.world.guests[100]!;
    guest.config['name'] = 'renamed';
    guest.config['tags'] = 'fresh';
    guest.config['lock'] = 'backup';
    guest.running = null;
    const copy = { ...structuredClone(guest), vmid: 500 };
    simulator.world.guests[500] = copy;
    const before = await get('/cluster/resources?type=vm');
    expect(named(before, 'qemu/100')).toMatchObject({
      name: 'legacy-db',
      status: 'running',
      tags: 'fresh',
      lock: 'backup',
    });
    expect(named(before, 'qemu/500')).toEqual({
      id: 'qemu/500',
      type: 'qemu',
      vmid: 500,
      node: 'pve3',
      status: 'unknown',
      tags: 'fresh',
      lock: 'backup',
    });
    await simulator.sim.clock.advance(10_000);
    const after = await get('/cluster/resources?type=vm');
    expect(named(after, 'qemu/100')).toMatchObject({ name: 'renamed', status: 'stopped' });
    expect(named(after, 'qemu/500')).toMatchObject({ name: 'renamed', status: 'stopped' });
  });
});

describe('/cluster/nextid', () => {
  it('is the lowest free id, as text, and reserves nothing', async () => {
    simulator = await startCluster();
    expect(await get('/cluster/nextid')).toBe('102');
    expect(await get('/cluster/nextid')).toBe('102');
  });

  it('says whether an id is free, also when a container has it', async () => {
    simulator = await startCluster();
    expect(await get('/cluster/nextid?vmid=777')).toBe('777');
    const taken = await ask(simulator, 'GET', '/cluster/nextid?vmid=101');
    expect([taken.status, taken.json.errors]).toEqual([400, { vmid: 'VM 101 already exists' }]);
  });

  it('keeps to the datacenter’s range, without its upper end', async () => {
    simulator = await startCluster();
    expect((await put('/cluster/options', { 'next-id': 'lower=9000,upper=9003' })).status).toBe(200);
    expect(await get('/cluster/nextid')).toBe('9002');
    await put('/cluster/options', { 'next-id': 'lower=9000,upper=9002' });
    const full = await ask(simulator, 'GET', '/cluster/nextid');
    expect([full.status, full.reason]).toEqual([500, 'unable to get any free VMID in range [9000, 9002]']);
  });
});

describe('/cluster/options', () => {
  it('shows property strings as objects, numbers as text and flags as numbers', async () => {
    simulator = await startCluster();
    await put('/cluster/options', {
      'tag-style': 'ordering=config,case-sensitive=1',
      'next-id': 'lower=300',
      migration: 'insecure,network=192.0.2.0/24',
      'registered-tags': 'gold;silver',
      'user-tag-access': 'user-allow=list,user-allow-list=a;b',
      bwlimit: 'clone=100',
      description: 'ours',
    });
    expect(await get('/cluster/options')).toEqual({
      'allowed-tags': ['a', 'b', 'gold', 'silver'],
      bwlimit: 'clone=100',
      description: 'ours\n',
      mac_prefix: 'BC:24:11',
      migration: { type: 'insecure', network: '192.0.2.0/24' },
      'next-id': { lower: '300' },
      'registered-tags': ['gold', 'silver'],
      'tag-style': { ordering: 'config', 'case-sensitive': 1 },
      'user-tag-access': { 'user-allow': 'list', 'user-allow-list': ['a', 'b'] },
    });
  });

  it('shows a stranger the console, the tag style and the tags that he may give', async () => {
    simulator = await startCluster();
    simulator.world.guests[100]!.config['tags'] = 'secret';
    simulator.world.datacenter = { console: 'html5', 'registered-tags': 'gold', description: 'x' };
    expect(await get('/cluster/options', addToken([]))).toEqual({ console: 'html5', 'allowed-tags': [] });
  });

  it('deletes what was never there', async () => {
    simulator = await startCluster();
    expect((await put('/cluster/options', { delete: 'console,bogus' })).status).toBe(200);
  });
});

describe('/cluster/tasks and /cluster/log', () => {
  it('tell of the tasks of all nodes, to those who may see them', async () => {
    simulator = await startCluster();
    const upid = simulator.sim.tasks.start(
      { type: 'qmstart', id: '100', node: 'pve2', user: 'root@pam' },
      () => {},
    );
    await simulator.sim.tasks.ended(upid);
    expect(await get('/cluster/tasks')).toEqual([
      expect.objectContaining({ upid, node: 'pve2', status: 'OK', saved: '1', user: 'root@pam' }),
    ]);
    expect((await get('/cluster/log')).map(({ msg }: Row) => msg)).toEqual([
      `end task ${upid} OK`,
      `starting task ${upid}`,
    ]);
    const dev = addToken([]);
    expect(await get('/cluster/tasks', dev)).toEqual([]);
    expect(await get('/cluster/log', dev)).toEqual([]);
  });

  it('never show a token its own tasks', async () => {
    simulator = await startCluster();
    const dev = addToken([]);
    simulator.sim.tasks.start({ type: 'qmstart', id: '100', node: 'pve1', user: 'dev@pve!t' }, () => {});
    expect(await get('/cluster/tasks', dev)).toEqual([]);
  });
});

it.each([
  ['/', 'subdir', ['access', 'cluster', 'nodes', 'pools', 'storage', 'version']],
  ['/cluster/ha', 'id', ['groups', 'resources', 'rules', 'status']],
  ['/cluster/ha/status', 'name', ['arm-ha', 'current', 'disarm-ha', 'manager_status']],
  ['/nodes/pve1/capabilities/qemu', 'name', ['cpu', 'cpu-flags', 'machines', 'migration']],
])('lists what lies below %s', async (path, key, names) => {
  simulator = await startCluster();
  expect((await get(path)).map((row: Row) => row[key]).sort()).toEqual(names);
});

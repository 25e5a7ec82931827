import type { Simulator } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
beforeAll(async () => (simulator = await startCluster()));
afterAll(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
type Row = Record<string, unknown>;

it('lists the nodes with their fingerprints', async () => {
  const rows = await get('/nodes');
  expect(rows.map(({ node, status }: Row) => [node, status])).toEqual([
    ['pve1', 'online'],
    ['pve2', 'online'],
    ['pve3', 'online'],
  ]);
  expect(rows[1].ssl_fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

it('tells a node’s status, version, time and names', async () => {
  expect(await get('/nodes/pve2/status')).toMatchObject({
    memory: { total: 64 * 1024 ** 3 },
    cpuinfo: { cpus: 16 },
    pveversion: 'pve-manager/9.2.11/14a22df3c1d1a0b8',
  });
  expect(await get('/nodes/pve2/version')).toMatchObject({ release: '9.2' });
  expect(await get('/nodes/pve2/time')).toMatchObject({ timezone: 'UTC' });
  expect((await get('/nodes/pve2/hosts')).data).toContain('192.0.2.3 pve3');
});

it('has one card, and the bridges of the world', async () => {
  const interfaces = await get('/nodes/pve1/network');
  expect(interfaces.map(({ iface, type }: Row) => [iface, type])).toEqual([
    ['nic0', 'eth'],
    ['vmbr0', 'bridge'],
    ['vmbr1', 'bridge'],
    ['vmbr2', 'bridge'],
  ]);
  expect((await get('/nodes/pve1/network?type=any_bridge')).map(({ iface }: Row) => iface)).toEqual([
    'vmbr0',
    'vmbr1',
    'vmbr2',
  ]);
  expect(await get('/nodes/pve1/network?type=bond')).toEqual([]);
  expect(await get('/nodes/pve3/network/vmbr0')).toMatchObject({
    cidr: '192.0.2.3/24',
    bridge_ports: 'nic0',
  });
  const missing = await ask(simulator, 'GET', '/nodes/pve1/network/nope');
  expect(missing.json.errors).toEqual({ iface: 'interface does not exist' });
});

it('shows bridges only to those who may use them', async () => {
  simulator.world.access.users['dev@pve'] = {
    enable: true,
    tokens: { t: { value: 'secret', privsep: false } },
  };
  simulator.world.access.acl.push({
    path: '/sdn/zones/localnetwork/vmbr1',
    type: 'user',
    ugid: 'dev@pve',
    roleid: 'PVESDNUser',
    propagate: true,
  });
  const headers = { authorization: 'PVEAPIToken=dev@pve!t=secret' };
  const { json } = await ask(simulator, 'GET', '/nodes/pve1/network?type=bridge', { headers });
  expect(json.data.map(({ iface }: Row) => iface)).toEqual(['vmbr1']);
});

it('keeps a node’s own options under a digest', async () => {
  await ask(simulator, 'PUT', '/nodes/pve1/config', {
    form: { description: 'rack 4', 'startall-onboot-delay': '5' },
  });
  const config = await get('/nodes/pve1/config');
  expect(config).toMatchObject({ description: 'rack 4', 'startall-onboot-delay': 5 });
  const stale = await ask(simulator, 'PUT', '/nodes/pve1/config', {
    form: { description: 'x', digest: 'abc' },
  });
  expect(stale.reason).toBe('detected modified configuration - file changed by other user? Try again.');
  await ask(simulator, 'PUT', '/nodes/pve1/config', {
    form: { delete: 'description', digest: config.digest },
  });
  expect(await get('/nodes/pve1/config')).not.toHaveProperty('description');
});

it('knows qemu’s machines and models', async () => {
  const machines = await get('/nodes/pve1/capabilities/qemu/machines');
  expect(machines).toContainEqual({ id: 'pc-q35-9.0', type: 'q35', version: '9.0' });
  expect(machines).toHaveLength(69);
  expect(await get('/nodes/pve1/capabilities/qemu/cpu')).toContainEqual({
    name: 'EPYC-Rome',
    custom: 0,
    vendor: 'AuthenticAMD',
  });
});

it('shows a container, and finds no machine under its path', async () => {
  expect(await get('/nodes/pve3/lxc/101/config')).toMatchObject({
    hostname: 'dns',
    memory: 512,
    unprivileged: 1,
    digest: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(await get('/nodes/pve3/lxc/101/status/current')).toMatchObject({
    vmid: 101,
    status: 'running',
    ha: { managed: 0 },
  });
  const { reason } = await ask(simulator, 'GET', '/nodes/pve3/lxc/100/config');
  expect(reason).toBe("Configuration file 'nodes/pve3/lxc/100.conf' does not exist");
});

it('lists what lies below access, and no second factors', async () => {
  expect(await get('/access')).toContainEqual({ subdir: 'users' });
  expect(await get('/access/tfa')).toEqual([]);
});

it('keeps a node’s time zone', async () => {
  const put = (timezone: string) => ask(simulator, 'PUT', '/nodes/pve1/time', { form: { timezone } });
  expect((await put('Mars/Olympus')).json.errors).toEqual({ timezone: 'No such timezone' });
  expect((await put('Asia/Kolkata')).status).toBe(200);
  const { timezone, time, localtime } = await get('/nodes/pve1/time');
  expect([timezone, localtime - time]).toEqual(['Asia/Kolkata', 5.5 * 3600]);
  expect(await get('/nodes/pve2/time')).toMatchObject({ timezone: 'UTC' });
});

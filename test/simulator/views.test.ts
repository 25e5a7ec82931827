import type { Simulator } from '../../simulator';
import { ask, askToEnd } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

// what monitors and dashboards read

let simulator: Simulator;
beforeAll(async () => (simulator = await startCluster()));
afterAll(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
const container = () => {
  const found = Object.values(simulator.world.guests).find(({ type }) => type === 'lxc');
  if (!found) throw new Error('the world has no container');
  return found;
};

it.each([
  ['/nodes/pve2/rrddata', { maxcpu: 16, memtotal: 64 * 1024 ** 3, roottotal: expect.any(Number) }],
  ['/nodes/pve1/storage/local/rrddata', { total: expect.any(Number), used: expect.any(Number) }],
  ['/nodes/pve1/qemu/9000/rrddata', { maxcpu: expect.any(Number), maxmem: expect.any(Number) }],
])('draws the curves of %s over an hour', async (path, values) => {
  const points = await get(`${path}?timeframe=hour`);
  expect(points).toHaveLength(70);
  expect(points[69]).toMatchObject(values);
  expect(points[69].time - points[68].time).toBe(60);
  const unasked = await ask(simulator, 'GET', path);
  expect(unasked.json.errors).toEqual({ timeframe: 'property is missing and it is not optional' });
});

it('counts what the cards of running guests sent', async () => {
  const form = { vmid: '300', net0: 'virtio,bridge=vmbr0', net1: 'virtio,bridge=vmbr0' };
  await askToEnd(simulator, 'POST', '/nodes/pve1/qemu', { form });
  await askToEnd(simulator, 'POST', '/nodes/pve1/qemu/300/status/start');
  expect(await get('/nodes/pve1/netstat')).toEqual(
    expect.arrayContaining(
      ['net0', 'net1'].map(dev => ({ vmid: '300', dev, in: expect.any(String), out: expect.any(String) })),
    ),
  );
});

it('tells of each service that it runs', async () => {
  expect(await get('/nodes/pve1/services/pveproxy/state')).toMatchObject({
    service: 'pveproxy',
    state: 'running',
  });
  const unknown = await ask(simulator, 'GET', '/nodes/pve1/services/nope/state');
  expect(unknown.json.errors.service).toContain("value 'nope' does not have a value in the enumeration");
});

it('tells how its nodes are joined, and that no device votes with them', async () => {
  expect(await get('/cluster/config/totem')).toMatchObject({ secauth: 'on', version: '2' });
  expect(await get('/cluster/config/qdevice')).toEqual({});
  expect(await get('/cluster/config/apiversion')).toBe(1);
});

it('names every guest as one that no job backs up', async () => {
  const rows: { vmid: number }[] = await get('/cluster/backup-info/not-backed-up');
  expect(rows.map(({ vmid }) => vmid)).toEqual(Object.keys(simulator.world.guests).map(Number));
  expect(rows).toContainEqual({ vmid: 9000, type: 'qemu', name: 'ubuntu-22.04' });
});

it('reads a container as it reads a machine', async () => {
  const { node, vmid, config } = container();
  const at = `/nodes/${node}/lxc/${vmid}`;
  expect(await get(at)).toContainEqual({ subdir: 'status' });
  expect(await get(`${at}/status`)).toContainEqual({ subdir: 'current' });
  expect(await get(`${at}/pending`)).toContainEqual({ key: 'hostname', value: config['hostname'] });
  expect(await get(`${at}/snapshot`)).toMatchObject([{ name: 'current' }]);
  expect(await get(`${at}/rrddata?timeframe=day`)).toHaveLength(70);
});

it('lists containers to a token too', async () => {
  const { node, vmid } = container();
  const rows: { vmid: string }[] = await get(`/nodes/${node}/lxc`);
  expect(rows.map(row => Number(row.vmid))).toEqual([vmid]);
});

it('tells what a further node needs to join, and its own address management', async () => {
  const { nodelist, totem } = await get('/cluster/config/join');
  expect(nodelist.map(({ name }: { name: string }) => name)).toEqual(['pve1', 'pve2', 'pve3']);
  expect(totem).toMatchObject({ cluster_name: simulator.world.cluster?.name });
  expect(await get('/cluster/sdn/ipams')).toEqual([{ ipam: 'pve', type: 'pve' }]);
  expect(await get('/cluster/sdn/ipams/pve/status')).toEqual([]);
});

it('keeps what a resolver is told, whole', async () => {
  await ask(simulator, 'PUT', '/nodes/pve2/dns', { form: { search: 'a.example', dns1: '192.0.2.9' } });
  await ask(simulator, 'PUT', '/nodes/pve2/dns', { form: { search: 'b.example' } });
  expect(await get('/nodes/pve2/dns')).toEqual({ search: 'b.example' });
  expect(await get('/nodes/pve1/dns')).toHaveProperty('dns1');
});

it("shows a container's load, its disk and its cards", async () => {
  const { node, vmid } = container();
  const rows = await get(`/nodes/${node}/lxc`);
  expect(rows).toMatchObject([{ maxdisk: 8 * 1024 ** 3, mem: expect.any(Number), status: 'running' }]);
  expect(rows[0].uptime).toBeGreaterThan(0);
  const cards = await get(`/nodes/${node}/lxc/${vmid}/interfaces`);
  expect(cards.map((card: { name: string }) => card.name)).toEqual(['lo', 'eth0']);
  expect(cards[0]).toMatchObject({
    inet: '127.0.0.1/8',
    'ip-addresses': [{ 'ip-address': '127.0.0.1' }, {}],
  });
});

it('tells of one disk in each server, of no update and of no Ceph', async () => {
  expect(await get('/nodes/pve1/disks/list')).toMatchObject([{ devpath: '/dev/sda', health: 'PASSED' }]);
  expect(await get('/nodes/pve1/disks/list?include-partitions=1')).toHaveLength(4);
  expect(await get('/nodes/pve1/disks/list?type=unused')).toEqual([]);
  expect(await get('/nodes/pve1/disks/smart?disk=/dev/sda&healthonly=1')).toEqual({ health: 'PASSED' });
  const missing = await ask(simulator, 'GET', '/nodes/pve1/disks/smart?disk=/dev/sdb');
  expect([missing.status, missing.json.message]).toEqual([500, "no such block device '/dev/sdb'\n"]);
  expect(await get('/nodes/pve1/disks/zfs')).toEqual([]);
  expect(await get('/nodes/pve1/apt/update')).toEqual([]);
  const ceph = await ask(simulator, 'GET', '/cluster/ceph/status');
  expect([ceph.status, ceph.json.message]).toEqual([500, 'binary not installed: /usr/bin/ceph-mon\n']);
});

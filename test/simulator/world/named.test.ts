import { writeFileSync } from 'node:fs';
import { startSimulator } from '../../../simulator';
import { namedWorld, WORLD_NAMES } from '../../../simulator/worlds/named';
import { sendRaw } from '../../support/api/raw-client';
import { SimulatorProgram } from '../../support/api/simulator-program';

const program = new SimulatorProgram();
afterEach(() => program.endAll());
afterAll(() => program.remove());

type Json = Record<string, unknown>;

/** Starts a cluster with the world, and gives what root reads and does there. */
async function start(name: string) {
  const { ready } = await program.startReady(['--world', name, '--task-ms', '0']);
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `PVEAPIToken=${ready['tokenId']}=${ready['tokenSecret']}` };
    const { status, text, reason } = await sendRaw(`${ready['url']}/api2/json`, {
      ...{ method, path, headers },
      ...(body === undefined ? {} : { body }),
    });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${reason} ${text}`);
    return JSON.parse(text).data;
  };
  /** Does what is a task, and waits for its end. */
  const work = async (node: string, path: string, body?: string) => {
    const upid = await ask('POST', `/nodes/${node}/${path}`, body);
    const status = () => ask('GET', `/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`);
    while ((await status()).status === 'running') await new Promise(resolve => setTimeout(resolve, 20));
    expect(await status()).toMatchObject({ exitstatus: 'OK' });
  };
  return { ask, work };
}

test('the homelab is one node with ZFS, folders and a dozen guests', async () => {
  const { ask } = await start('homelab');
  const guests: Json[] = await ask('GET', '/cluster/resources?type=vm');
  expect(guests).toHaveLength(12);
  expect(guests.filter(({ type }) => type === 'lxc')).toHaveLength(3);
  const storages: Json[] = await ask('GET', '/nodes/pve/storage');
  expect(storages.map(({ type }) => type).sort()).toEqual(['dir', 'dir', 'zfspool']);
  expect(await ask('GET', '/cluster/status')).toHaveLength(1);
  const snapshots: Json[] = await ask('GET', '/nodes/pve/qemu/110/snapshot');
  expect(snapshots.map(({ name }) => name)).toEqual(['clean', 'tools', 'current']);
});

test.each([
  ['homelab', 'pve', 'local-zfs:vm-500-disk-0'],
  ['three-nodes-ceph', 'pve1', 'ceph-vm:vm-500-disk-0'],
  ['old-8.4', 'pve1', 'nfs:500/vm-500-disk-0.qcow2'],
])('%s: its template can be cloned, and the clone snapshot and started', async (world, node, disk) => {
  const { ask, work } = await start(world);
  await work(node, 'qemu/9000/clone', 'newid=500&full=1&name=new');
  const config = await ask('GET', `/nodes/${node}/qemu/500/config`);
  expect(config.scsi0).toMatch(new RegExp(`^${disk},`));
  await work(node, 'qemu/500/snapshot', 'snapname=one');
  expect(await ask('GET', `/nodes/${node}/qemu/500/snapshot`)).toHaveLength(2);
  await work(node, 'qemu/500/status/start');
  expect(await ask('GET', `/nodes/${node}/qemu/500/status/current`)).toMatchObject({ status: 'running' });
});

test('on Ceph each node sees the same disks, and a guest moves without its disk', async () => {
  const { ask, work } = await start('three-nodes-ceph');
  const storages: Json[] = await ask('GET', '/nodes/pve3/storage');
  expect(storages.find(({ storage }) => storage === 'ceph-vm')).toMatchObject({ type: 'rbd', shared: 1 });
  await work('pve1', 'qemu/101/migrate', 'target=pve3&online=1');
  expect(await ask('GET', '/nodes/pve3/qemu/101/config')).toMatchObject({
    scsi0: 'ceph-vm:vm-101-disk-0,size=20G',
  });
});

test('the old release says so, and its role has the privilege of its time', async () => {
  const { ask } = await start('old-8.4');
  expect(await ask('GET', '/version')).toMatchObject({ release: '8.4' });
  const admin = await ask('GET', '/access/roles/PVEVMAdmin');
  expect(admin).toMatchObject({ 'VM.Monitor': 1 });
  expect(admin).not.toHaveProperty('VM.Replicate');
  expect(await ask('GET', '/access/roles/Deployer')).toMatchObject({ 'VM.Monitor': 1 });
});

test.each(WORLD_NAMES)('%s holds no defect', async name => {
  const simulator = await startSimulator(namedWorld(name)!, { timeScale: 'held' });
  await simulator.sim.clock.advance(60_000);
  expect(simulator.sim.defects.all()).toEqual([]);
  await simulator.close();
});

test('a name wins over a file of that name, and says so; a path is a file', async () => {
  writeFileSync(program.file('homelab'), JSON.stringify({ nodes: [{ name: 'other' }] }));
  const named = await program.startReady(['--world', 'homelab']);
  named.child.kill();
  expect((await named.ended).errors).toContain(
    'not the file in this folder. For the file: --world ./homelab',
  );
  const { ready } = await program.startReady(['--world', './homelab']);
  const { text } = await sendRaw(ready['url'] ?? '', { method: 'GET', path: '/_sim/world' });
  expect(JSON.parse(text).nodes).toMatchObject([{ name: 'other' }]);
});

test.each([
  ['homelap', "there is no world and no file 'homelap'. Did you mean homelab?"],
  [
    'constructor',
    "there is no world and no file 'constructor'. The worlds are homelab, three-nodes-ceph, old-8.4.",
  ],
])('--world %s is refused with the names', async (name, error) => {
  expect(await program.start(['--world', name]).ended).toMatchObject({
    code: 2,
    errors: expect.stringContaining(error),
  });
});

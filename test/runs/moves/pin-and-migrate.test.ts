import { setTimeout as sleep } from 'node:timers/promises';
import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab, labWorld } from '../../support/cluster/lab';

const blank = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const pinned = { ...blank, node: 'pve2', pin: true };

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;

/** Makes the machine, without a system that would take its time, and forgets the requests. */
async function made(spec: Json = blank): Promise<void> {
  expect(await cluster.bring(spec)).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  cluster.simulator.ledger.reset();
}

async function refusal(want: Json = pinned): Promise<string> {
  const errors = await cluster.bring(want);
  expect(writes(cluster.simulator)).toEqual([]);
  return errors.join('\n');
}

it('moves a machine that runs, with its disks', async () => {
  await made();
  expect(await cluster.bring(pinned)).toEqual([]);
  const at = '/nodes/pve1/qemu/10000';
  expect(cluster.calls()).toEqual([
    `GET ${at}/pending`,
    `GET ${at}/migrate`,
    'GET /cluster/replication',
    'GET /cluster/ha/resources/vm:10000',
    // whose it is, read directly before
    `GET ${at}/pending`,
    `POST ${at}/migrate`,
    'GET /nodes/pve2/qemu/10000/pending',
  ]);
  expect(guest()).toMatchObject({ node: 'pve2', running: { qmp: 'running' } });
  expect(cluster.world.volumes.find(({ vmid }) => vmid === 10_000)).toMatchObject({ node: 'pve2' });
  expect(await cluster.bring(pinned)).toEqual([]);
  expect(cluster.calls()).toEqual(['GET /nodes/pve2/qemu/10000/pending']);
});

it('moves a machine that is off, and starts it there', async () => {
  await made({ ...blank, power: 'stopped' });
  expect(await cluster.bring({ ...pinned, memory: '2Gi' })).toEqual([]);
  expect(guest()).toMatchObject({ node: 'pve2', config: { memory: '2048' }, running: { qmp: 'running' } });
});

it('names before what a move does to its replication, and moves none that Proxmox would not', async () => {
  await made();
  cluster.world.replicationJobs = { '10000-0': { target: 'pve3' }, '100-0': { target: 'pve3' } };
  expect(await refusal()).toMatch(/replication copies its disks to pve3, and while it runs .* nowhere else/);
  expect(await refusal()).toMatch(/Stop it first .* or make a replication job to pve2;/);
  expect(await cluster.bring({ ...blank, power: 'stopped' })).toEqual([]);
  cluster.events.length = 0;
  expect(await cluster.bring({ ...pinned, power: 'stopped' })).toEqual([]);
  const said = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(said.join()).toContain('its jobs fail until they are made anew');
});

it('leaves a machine that only prefers its node where it is', async () => {
  await made();
  expect(await cluster.bring({ ...pinned, pin: false })).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
  expect(guest().node).toBe('pve1');
});

it.each(['running', 'stopped'] as const)('moves one that HA keeps %s, by HA', async power => {
  await cluster.close();
  cluster = await lab({ world: labWorld(), timeScale: 100 });
  const disks = [{ name: 'root', size: '1G', storage: 'shared' }];
  await made({ ...blank, disks, power });
  const state = power === 'running' ? 'started' : 'stopped';
  const { resources, services } = cluster.world.ha;
  resources['vm:10000'] = { sid: 'vm:10000', state, settings: {} };
  while (services['vm:10000']?.state !== state) await sleep(5);
  expect(await cluster.bring({ ...pinned, disks, power })).toEqual([]);
  expect(guest().node).toBe('pve2');
  expect(guest().running !== null).toBe(power === 'running');
  const types = cluster.simulator.sim.tasks.all().map(({ type }) => type);
  expect(types).toContain('hamigrate');
});

describe('is refused before anything is sent, with what holds it:', () => {
  it('a device of its node', async () => {
    await made({ ...blank, power: 'stopped' });
    guest().config['hostpci0'] = '0000:01:00.0';
    expect(await refusal()).toContain('cannot go to pve2: hostpci0 cannot leave its node');
  });
  it('a CD on storage of its node', async () => {
    await made();
    const file = { storage: 'local', content: 'iso', format: 'iso', node: 'pve1' };
    cluster.world.volumes.push({ ...cluster.world.volumes[0]!, ...file, volid: 'local:iso/a.iso' });
    guest().config['ide2'] = 'local:iso/a.iso,media=cdrom';
    expect(await refusal()).toContain('the CD local:iso/a.iso is on storage of its node');
  });
  it('a storage that the other node lacks', async () => {
    await made();
    cluster.world.storages.find(({ storage }) => storage === 'local-lvm')!.nodes = ['pve1', 'pve3'];
    expect(await refusal()).toContain('local-lvm');
  });
  it('a snapshot of a local disk, while it runs', async () => {
    await made();
    guest().snapshots['before'] = { config: { ...guest().config }, snaptime: 1, description: '' };
    expect(await refusal()).toContain('a snapshot holds local-lvm:vm-10000-disk-0');
  });
  it('a snapshot of a local disk that is no qcow2 file and not on ZFS, while it is off', async () => {
    await made({ ...blank, power: 'stopped' });
    guest().snapshots['before'] = { config: { ...guest().config }, snaptime: 1, description: '' };
    expect(await refusal({ ...pinned, power: 'stopped' })).toContain(
      'a snapshot holds local-lvm:vm-10000-disk-0, on storage of its node, which cannot send snapshots',
    );
  });
  it('a bridge that the other node lacks, while it runs', async () => {
    await made();
    const there = cluster.world.nodes.find(({ name }) => name === 'pve2')!;
    there.bridges = there.bridges.filter(bridge => bridge !== 'vmbr0');
    expect(await refusal()).toContain("pve2 has no bridge 'vmbr0'");
  });
  it('a node that is off, or in no cluster', async () => {
    await made();
    expect(await refusal({ ...pinned, node: 'pve9' })).toContain("the cluster has no node 'pve9'");
    cluster.world.nodes.find(({ name }) => name === 'pve2')!.online = false;
    expect(await refusal()).toContain('pve2 is offline');
  });
});

it('is told in the plan', async () => {
  await made();
  const errors = errorsOf(await cluster.run(desired([{ ...pinned, memory: '2Gi' }])));
  expect(errors).toEqual([]);
  const planned = cluster.events.flatMap(event => (event.kind === 'planned' ? event.plan.changes : []));
  expect(planned).toContainEqual({ field: 'node', from: 'pve1', to: 'pve2', effect: 'live' });
});

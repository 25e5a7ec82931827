import { setTimeout as sleep } from 'node:timers/promises';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const want = (...snapshots: Json[]): Json => ({ ...blankMachine, snapshots });
const guest = () => cluster.world.guests[10_000]!;
const at = '/nodes/pve1/qemu/10000';

it('is taken once, of a machine that is as wanted', async () => {
  const wanted = want({ name: 'clean', description: 'first' }, { name: 'second' });
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(guest().snapshots).toMatchObject({ clean: {}, second: { parent: 'clean' } });
  expect(guest().snapshots['clean']!.description).toMatch(/^first\n<!-- pvr:\{.*"m":"web".*\} -->$/);
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

it('comes after what else there is to do', async () => {
  expect(await cluster.bring(want())).toEqual([]);
  const wanted = { ...want({ name: 'clean' }), memory: '2Gi' };
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(guest().snapshots['clean']!.config['memory']).toBe('2048');
});

it.each([
  ['running', true],
  ['running', false],
  ['stopped', true],
])('of a machine that is %s, with memory: %s', async (power, includeMemory) => {
  expect(await cluster.bring({ ...want({ name: 'clean', includeMemory }), power })).toEqual([]);
  const hasMemory = guest().snapshots['clean']!.vmstate !== undefined;
  expect(hasMemory).toBe(power === 'running' && includeMemory);
});

it('is described anew where its words or its fate change', async () => {
  expect(await cluster.bring(want({ name: 'clean', description: 'one' }))).toEqual([]);
  cluster.calls();
  const other = want({ name: 'clean', description: 'two', onDestroy: 'keep' });
  expect(await cluster.bring(other)).toEqual([]);
  expect(guest().snapshots['clean']!.description).toMatch(/^two\n.*"k":1/);
  expect(writes(cluster.simulator).at(-1)).toContain(`PUT ${at}/snapshot/clean/config`);
});

it('is there when somebody else took one of its name, and is left as it is', async () => {
  expect(await cluster.bring(want())).toEqual([]);
  await administratorOf(cluster)('POST', `${at}/snapshot`, { snapname: 'clean', description: 'mine' });
  expect(await cluster.bring(want({ name: 'clean', description: 'ours' }))).toEqual([]);
  expect(guest().snapshots['clean']!.description).toBe('mine');
});

it('is refused where one of its name was cut short', async () => {
  expect(await cluster.bring(want({ name: 'clean' }))).toEqual([]);
  guest().snapshots['clean']!.snapstate = 'delete';
  cluster.simulator.ledger.reset();
  const [error] = await cluster.bring(want({ name: 'clean' }));
  expect(error).toContain("web: snapshot 'clean' of VM 10000 is not whole");
  expect(writes(cluster.simulator)).toEqual([]);
});

describe('a storage that cannot', () => {
  const disks = [{ name: 'root', size: '1G', storage: 'local' }];

  it('is refused before the machine is made', async () => {
    const [error] = await cluster.bring({ ...want({ name: 'clean' }), disks });
    expect(error).toMatch(/web: The machine cannot have snapshots: scsi0 is raw on local \(dir\).*qcow2/);
    expect(writes(cluster.simulator)).toEqual([]);
  });
  it('and may as qcow2', async () => {
    const qcow2 = disks.map(disk => ({ ...disk, format: 'qcow2' }));
    expect(await cluster.bring({ ...want({ name: 'clean' }), disks: qcow2 })).toEqual([]);
    expect(guest().snapshots).toHaveProperty('clean');
  });
  it('is refused before anything is written to a machine that is there', async () => {
    expect(await cluster.bring({ ...want(), disks })).toEqual([]);
    cluster.simulator.ledger.reset();
    const [error] = await cluster.bring({ ...want({ name: 'clean' }), disks, memory: '2Gi' });
    expect(error).toContain('web: VM 10000 cannot have snapshots: scsi0 is raw on local.');
    expect(writes(cluster.simulator)).toEqual([]);
  });
  it('and by the remedy it is moved first, and the snapshot taken after that', async () => {
    expect(await cluster.bring({ ...want(), disks })).toEqual([]);
    const qcow2 = disks.map(disk => ({ ...disk, format: 'qcow2' }));
    expect(await cluster.bring({ ...want({ name: 'clean' }), disks: qcow2 })).toEqual([]);
    expect(guest().snapshots['clean']!.config['scsi0']).toContain('.qcow2');
  });
  it('is told of a clone before it is made', async () => {
    const source = cluster.world.guests[9000]!;
    const root = Object.keys(source.config).find(key => /^scsi\d/.test(key))!;
    const volume = cluster.world.volumes.find(({ volid }) => source.config[root]!.startsWith(volid))!;
    volume.storage = 'local';
    volume.format = 'raw';
    source.config[root] = source.config[root]!.replace(volume.volid, 'local:9000/base-9000-disk-0.raw');
    volume.volid = 'local:9000/base-9000-disk-0.raw';
    const image = { template: 'ubuntu-22.04' };
    const errors = await cluster.bring({ id: 'web', image, snapshots: [{ name: 'clean' }] });
    expect(errors.join()).toContain('cannot have snapshots');
    expect(writes(cluster.simulator)).toEqual([]);
  });
});

it('waits until a guest is free', async () => {
  expect(await cluster.bring(want())).toEqual([]);
  guest().config['lock'] = 'backup';
  const run = cluster.bring(want({ name: 'clean' }));
  while (!cluster.events.some(({ kind }) => kind === 'progress')) await sleep(5);
  expect(guest().snapshots).toEqual({});
  delete guest().config['lock'];
  expect(await run).toEqual([]);
  expect(guest().snapshots).toHaveProperty('clean');
});

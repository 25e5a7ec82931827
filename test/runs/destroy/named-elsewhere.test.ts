import type { Event } from '../../../reconciler/event';
import { administratorOf } from '../../support/cluster/administrator';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

const data = (more: Json): Json => ({
  ...blankMachine,
  disks: [...blankMachine.disks, { name: 'data', size: '1G', storage: 'shared', ...more }],
});
const leaves = { first: data({ onRemove: 'delete' }), then: blankMachine };
const moves = { first: data({}), then: data({ storage: 'local-lvm' }) };

/** Which reading of the other guest finds the volume there. */
let attachAt: { reading: number; file: string } | undefined;
let cluster: Lab;
beforeEach(async () => {
  attachAt = undefined;
  cluster = await lab({
    before: ({ method, path }) => {
      if (attachAt === undefined || method !== 'GET' || path !== '/nodes/pve3/qemu/100/pending') return;
      attachAt.reading -= 1;
      if (attachAt.reading === 0) cluster.world.guests[100]!.config['scsi9'] = attachAt.file;
    },
  });
});
afterEach(() => cluster.close());

const volume = () => (cluster.world.guests[10_000]!.config['scsi1'] ?? '').split(',')[0]!;
const isThere = (file: string) => cluster.world.volumes.some(({ volid }) => volid === file);
/** As an administrator does: another guest gets the volume too. */
const attachElsewhere = async (file: string): Promise<void> => {
  const path = '/nodes/pve3/qemu/100/config';
  expect(await administratorOf(cluster)('PUT', path, { scsi9: file })).toBe(true);
};

test.each([
  ['leaves with its volume', 'be deleted', leaves],
  ['moves', 'move', moves],
])('a disk that %s stays where another guest names it, and that guest is named', async (_, what, want) => {
  expect(await cluster.bring(want.first)).toEqual([]);
  const file = volume();
  await attachElsewhere(file);
  const [told] = await cluster.bring(want.then);
  expect(told).toContain(`Disk "data" (scsi1, ${file}) is to ${what}, and guest 100 on pve3 uses it`);
  expect(told).toContain('Running again is safe');
  expect(volume()).toBe(file);
  expect(isThere(file)).toBe(true);
  // the remedy that it names
  const path = '/nodes/pve3/qemu/100/config';
  expect(await administratorOf(cluster)('PUT', path, { delete: 'scsi9' })).toBe(true);
  expect(await cluster.bring(want.then)).toEqual([]);
  expect(isThere(file)).toBe(false);
});

test.each([
  ['leaves with its volume', leaves],
  ['moves', moves],
])('so it is where somebody attaches it after the plan that %s', async (_, want) => {
  expect(await cluster.bring(want.first)).toEqual([]);
  const file = volume();
  // the plans of a run share the first reading, and the second one is directly before the write
  attachAt = { reading: 2, file };
  const [told] = await cluster.bring(want.then);
  expect(attachAt.reading).toBeLessThan(1);
  expect(told).toContain('guest 100 on pve3 uses it');
  expect(isThere(file)).toBe(true);
});

test('one that has the number of the other guest comes to this one by the way that is named, and is not lost', async () => {
  expect(await cluster.bring(moves.first)).toEqual([]);
  const administrator = administratorOf(cluster);
  const by = async (method: string, path: string, form?: Record<string, string>): Promise<void> => {
    expect(await administrator(method, path, form)).toBe(true);
  };
  await by('POST', '/nodes/pve1/qemu', { vmid: '900', name: 'theirs', scsi9: 'shared:1' });
  const theirs = cluster.world.guests[900]!.config['scsi9']!.split(',')[0]!;
  await by('PUT', '/nodes/pve1/qemu/10000/config', { scsi1: theirs });
  const [told] = await cluster.bring(moves.then);
  expect(told).toContain('Never delete its slot or an unusedN there');
  expect(told).toContain('qm disk move 900 SLOT --target-vmid 10000 --target-disk unused0');
  await by('PUT', '/nodes/pve1/qemu/10000/config', { delete: 'scsi1' });
  expect(isThere(theirs)).toBe(true);
  // what was in the slot before is unused0
  const form = { disk: 'scsi9', 'target-vmid': '10000', 'target-disk': 'unused1' };
  await by('POST', '/nodes/pve1/qemu/900/move_disk', form);
  const now = cluster.world.guests[10_000]!.config['unused1']!;
  expect(now).toMatch(/^shared:.*10000/);
  const given = { name: 'data', existingVolume: now };
  expect(await cluster.bring({ ...blankMachine, disks: [...blankMachine.disks, given] })).toEqual([]);
  expect(volume()).toBe(now);
  expect(isThere(now)).toBe(true);
});

test('nor does one move of a creation that was cut short, where somebody attached it before it goes on', async () => {
  const cut = new AbortController();
  const told = (event: Event): void => {
    if (event.kind === 'finished' && event.action.kind === 'clone') cut.abort();
  };
  const cloned = (storage: string): Json => ({
    ...{ id: 'web', node: 'pve1', image: { template: 'ubuntu-22.04' }, memory: '1Gi', power: 'stopped' },
    disks: [{ name: 'root', size: '10Gi', storage }],
  });
  const first = await lab({ signal: cut.signal, told });
  await first.bring(cloned('shared'));
  await first.close();
  expect(cut.signal.aborted).toBe(true);
  await cluster.close();
  cluster = await lab({ world: first.world });
  const made = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
  const root = (): string => made.config['scsi0']!.split(',')[0]!;
  const file = root();
  await attachElsewhere(file);
  const [refused] = await cluster.bring(cloned('local-lvm'));
  expect(refused).toContain('guest 100 on pve3 uses it');
  // the plan says so, before its first write
  expect(cluster.events.filter(({ kind }) => kind === 'started')).toEqual([]);
  expect(root()).toBe(file);
  expect(isThere(file)).toBe(true);
});

test('the plans of many machines share one reading of all guests, and its snapshots', async () => {
  const ids = ['one', 'two', 'three', 'four', 'five'];
  const all = (want: Json) => desired(ids.map(id => ({ ...want, id })));
  expect(errorsOf(await cluster.run(all(moves.first)))).toEqual([]);
  cluster.simulator.ledger.reset();
  expect(errorsOf(await cluster.run(all(moves.then)))).toEqual([]);
  const asked = (what: string): number =>
    cluster.simulator.ledger.entries().filter(({ path }) => path === `/nodes/pve3/qemu/100/${what}`).length;
  expect(asked('snapshot')).toBe(1);
  expect(asked('pending')).toBeLessThanOrEqual(1 + ids.length);
});

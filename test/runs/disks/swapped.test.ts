import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/** Disks that go with their volume, and somebody who puts another volume into their slot: that one is not deleted. */
const disk = (name: string, more: Json = {}): Json => ({
  ...{ name, size: '4G', storage: 'local-lvm', onRemove: 'delete' },
  ...more,
});
const machine = (...disks: Json[]): Json => ({ ...blankMachine, disks: [...blankMachine.disks, ...disks] });
const both = machine(disk('data'), disk('logs'));
const LOGS = 'local-lvm:vm-10000-disk-2';
const DATA = 'local-lvm:vm-10000-disk-1';

let cluster: Lab;
let held: HeldRequests;
beforeEach(async () => {
  held = new HeldRequests();
  cluster = await lab({ isOneConnection: true, before: held.before });
  expect(await cluster.bring(both)).toEqual([]);
  expect(config()).toMatchObject({
    scsi1: expect.stringContaining(DATA) as string,
    scsi2: expect.stringContaining(LOGS) as string,
    description: expect.stringContaining(`"vo":{"data":"${DATA}","logs":"${LOGS}"},"vg":`) as string,
  });
});
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;
const administrator = () => administratorOf(cluster);
const byHand = async (form: Record<string, string>): Promise<void> =>
  expect(await administrator()('PUT', '/nodes/pve1/qemu/10000/config', form)).toBe(true);
const swap = async (): Promise<void> => {
  const { scsi1 = '', scsi2 = '' } = config();
  await byHand({ delete: 'scsi1,scsi2' });
  await byHand({ scsi1: scsi2, scsi2: scsi1 });
};
const isAtRest = async (want: Json): Promise<void> => {
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(want)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
};
const isRefused = async (want: Json, ...says: string[]): Promise<void> => {
  cluster.simulator.ledger.reset();
  const errors = (await cluster.bring(want)).join();
  for (const text of says) expect(errors).toContain(text);
  expect(writes(cluster.simulator)).toEqual([]);
};
const warnings = (): string =>
  JSON.stringify(cluster.events.flatMap(each => (each.kind === 'planned' ? (each.plan.warnings ?? []) : [])));

it('of two that were swapped, or that a move named anew, none is deleted; while both stay all goes on', async () => {
  await swap();
  await isAtRest(both);
  for (const [leaves, want] of [
    ['logs', machine(disk('data'))],
    ['data', machine(disk('logs'))],
  ] as const)
    await isRefused(want, `disk "${leaves}" had volume`, 'a move of the guest has named them anew');
  await swap();
  await isAtRest(both);
  expect(await cluster.bring(machine(disk('data')))).toEqual([]);
  expect(Object.values(config()).join()).toContain(DATA);
  expect(Object.values(config()).join()).not.toContain(LOGS);
  expect(warnings()).not.toContain('Nothing tells whether');
  await isAtRest(machine(disk('data')));
});

it('what the refusal advises lets such a disk leave, and keeps its volume', async () => {
  await swap();
  await isRefused(machine(disk('data')), 'with onRemove: keep, and apply; then remove it from the spec');
  expect(await cluster.bring(machine(disk('data'), disk('logs', { onRemove: 'keep' })))).toEqual([]);
  expect(await cluster.bring(machine(disk('data')))).toEqual([]);
  const volumes = Object.values(config()).join();
  expect(volumes).toContain(DATA);
  expect(volumes).toContain(LOGS);
});

it('two that are swapped while a run is about to detach one are left alone', async () => {
  const asked = held.next('POST /nodes/pve1/qemu/10000/config');
  const ended = cluster.bring(machine(disk('data')));
  await asked.met;
  await swap();
  asked.release();
  expect((await ended).join()).toContain(`Now ${DATA} is there`);
  expect(Object.values(config()).join()).toMatch(/disk-1.*disk-2|disk-2.*disk-1/);
});

it('another volume in the slot of one that leaves is not deleted; taken as its own by an apply, it is', async () => {
  await byHand({ delete: 'scsi2' });
  await byHand({ scsi2: 'local-lvm:1' });
  const there = 'local-lvm:vm-10000-disk-3';
  expect(config()['scsi2']).toContain(there);
  await isRefused(machine(disk('data')), `Now ${there} is there, and ${LOGS} is in unused0 now`);
  await byHand({ delete: 'unused0' });
  await isRefused(machine(disk('data')), `${LOGS} is not in the guest any more`);
  expect(await cluster.bring(machine(disk('data'), disk('logs', { size: '1G' })))).toEqual([]);
  expect(await cluster.bring(machine(disk('data')))).toEqual([]);
  expect(Object.values(config()).join()).not.toContain(there);
});

it('one that was moved, by us or by hand, goes with the volume that it has since', async () => {
  const moved = machine(disk('data'), disk('logs', { storage: 'shared' }));
  expect(await cluster.bring(moved)).toEqual([]);
  expect(config()['description']).toContain('"logs":"shared:');
  await isAtRest(moved);
  const form = { disk: 'scsi1', storage: 'shared', delete: '1' };
  expect(await administrator()('POST', '/nodes/pve1/qemu/10000/move_disk', form)).toBe(true);
  const anywhere = machine(disk('data', { storage: undefined }), disk('logs', { storage: 'shared' }));
  expect(await cluster.bring(anywhere)).toEqual([]);
  await isAtRest(anywhere);
  expect(await cluster.bring(machine())).toEqual([]);
  expect(Object.values(config()).join()).not.toContain('shared:');
});

it('one of which an older mark says no volume goes as before, and the plan says that it cannot know', async () => {
  const older = (): void => {
    config()['description'] = config()['description']!.replace(/,"vo":\{[^}]*\},"vg":"[^"]*"/, '');
  };
  older();
  cluster.events.length = 0;
  expect(await cluster.bring(machine(disk('data')))).toEqual([]);
  expect(warnings()).toContain(`the volume that is in its slot is deleted: ${LOGS}. Nothing tells whether`);
  expect(Object.values(config()).join()).not.toContain(LOGS);
  // any apply remembers what is there
  expect(config()['description']).toContain(`"vo":{"data":"${DATA}"}`);
});

it('costs a machine whose volumes are all kept neither a byte of its mark nor a request', async () => {
  const kept = machine(disk('data', { onRemove: 'keep' }), disk('logs', { onRemove: undefined }));
  expect(await cluster.bring(kept)).toEqual([]);
  expect(config()['description']).not.toMatch(/"v[og]"/);
  await isAtRest(kept);
});

import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/** A disk that a machine had, and has no more: while a volume of it may hang there unused, no new one is made. */
const disk = (name: string, more: Json = {}): Json => ({ name, size: '4G', storage: 'local-lvm', ...more });
const machine = (...disks: Json[]): Json => ({ ...blankMachine, disks: [...blankMachine.disks, ...disks] });
const wanted = machine(disk('data', { backup: false }));
const DATA = 'local-lvm:vm-10000-disk-1';

let cluster: Lab;
let held: HeldRequests;
beforeEach(async () => {
  held = new HeldRequests();
  cluster = await lab({ isOneConnection: true, before: held.before });
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(config()['scsi1']).toContain(DATA);
});
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;
const byHand = async (form: Record<string, string>): Promise<void> =>
  expect(await administratorOf(cluster)('PUT', '/nodes/pve1/qemu/10000/config', form)).toBe(true);
const isRefused = async (want: Json): Promise<void> => {
  cluster.simulator.ledger.reset();
  const errors = (await cluster.bring(want)).join();
  expect(errors).toContain(`its volume may be the one in unused0 (${DATA})`);
  expect(errors).toContain('attach its volume again (qm set 10000 --scsi1 VOLUME)');
  expect(writes(cluster.simulator)).toEqual([]);
};

/** A backup has no line of a disk that it leaves out: over the guest it comes back without, and the volume is unused. */
function restored(): void {
  const guest = cluster.world.guests[10_000]!;
  delete guest.config['scsi1'];
  Object.assign(guest.config, { unused0: DATA, vmgenid: '11111111-2222-4333-8444-555555555555' });
}

it.each([
  ['of a machine that was restored from a backup without it', restored],
  ['that somebody has detached', () => byHand({ delete: 'scsi1' })],
])('a disk %s is not made anew, empty', async (_, act) => {
  await act();
  await isRefused(wanted);
  // also where the code says its slot
  await isRefused(machine(disk('data', { backup: false, slot: 'scsi1' })));
  await byHand({ scsi1: `${DATA},backup=0` });
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(config()).toMatchObject({ scsi1: expect.stringContaining(DATA) as string });
  expect(config()['unused0']).toBeUndefined();
});

it('it is made anew once its volume is deleted, and under another name at once', async () => {
  await byHand({ delete: 'scsi1' });
  expect(await cluster.bring(machine(disk('other')))).toEqual([]);
  expect(config()).toMatchObject({ unused0: DATA, scsi2: expect.not.stringContaining(DATA) as string });
  await byHand({ delete: 'scsi2' });
  await byHand({ delete: 'unused0,unused1' });
  expect(await cluster.bring(machine(disk('other')))).toEqual([]);
  expect(config()['scsi2']).toBeDefined();
});

it('it is not made anew where somebody takes it off while a run is at work', async () => {
  const asked = held.next('PUT /nodes/pve1/qemu/10000/config');
  const ended = cluster.bring({ ...wanted, memory: '2Gi' });
  await asked.met;
  await byHand({ delete: 'scsi1' });
  asked.release();
  expect((await ended).join()).toContain(`its volume may be the one in unused0 (${DATA})`);
  expect(config()['scsi1']).toBeUndefined();
});

it('it is not made anew, empty, where somebody has moved it to another slot', async () => {
  await byHand({ delete: 'scsi1' });
  await byHand({ virtio3: DATA });
  cluster.simulator.ledger.reset();
  const errors = (await cluster.bring(wanted)).join();
  expect(errors).toContain(`its volume may be the one in virtio3 (${DATA})`);
  expect(errors).toContain('where it is the disk in virtio3, say slot: "virtio3" in disks[data]');
  expect(errors).not.toContain('delete the unused volumes');
  expect(writes(cluster.simulator)).toEqual([]);
  expect(await cluster.bring(machine(disk('data', { backup: false, slot: 'virtio3' })))).toEqual([]);
  expect(config()).toMatchObject({ virtio3: expect.stringContaining(`${DATA},backup=0`) as string });
  expect(config()['scsi1']).toBeUndefined();
});

it('a volume that was kept of another disk does not hold up a new one', async () => {
  expect(await cluster.bring(machine())).toEqual([]);
  expect(config()['unused0']).toBe(DATA);
  expect(await cluster.bring(machine(disk('more')))).toEqual([]);
  expect(config()).toMatchObject({ unused0: DATA, scsi1: expect.stringContaining('size=4G') as string });
});

it('it is not made anew where somebody has moved it to the slot of a disk that leaves', async () => {
  expect(await cluster.bring(machine(disk('data', { backup: false }), disk('logs')))).toEqual([]);
  await byHand({ delete: 'scsi1,scsi2' });
  await byHand({ scsi2: DATA });
  const errors = (await cluster.bring(wanted)).join();
  expect(errors).toContain(`scsi2 (${DATA})`);
  expect(config()['scsi1']).toBeUndefined();
});

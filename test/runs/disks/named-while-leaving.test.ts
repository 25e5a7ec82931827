import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/**
 * A disk that leaves with its volume, on a machine that runs: the volume waits for a restart, and meanwhile somebody has
 * another use for it, in the code or by hand. Nothing that is used is deleted, by the write that attaches it or later.
 */
const disk = (name: string, more: Json = {}): Json => ({
  ...{ name, size: '1G', storage: 'local-lvm' },
  ...more,
});
const machine = (disks: Json[] = [], more: Json = {}): Json => ({
  ...{ ...blankMachine, power: 'running', restart: 'never' },
  ...more,
  disks: [...blankMachine.disks, ...disks],
});
const LEAVING = 'local-lvm:vm-10000-disk-0';
const at = '/nodes/pve1/qemu/10000';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
  await bring(machine([disk('data', { type: 'sata', onRemove: 'delete' })]));
  await bring(machine());
  expect(config()).toMatchObject({ sata0: expect.stringContaining(LEAVING) as string });
  expect(config()['description']).toContain(`"g":["${LEAVING}"]`);
});
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;
const somebody = async (method: string, path: string, form: Record<string, string> = {}): Promise<void> =>
  expect(await administratorOf(cluster)(method, at + path, form)).toBe(true);
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);
const isThere = (): boolean => cluster.world.volumes.some(({ volid }) => volid === LEAVING);
const stopped = async (): Promise<void> => {
  await somebody('POST', '/status/stop');
  expect(config()).toMatchObject({ unused0: LEAVING });
};
const told = (from: number): string => JSON.stringify(cluster.events.slice(from));

it('is deleted once the machine was off, where nobody wants it', async () => {
  await stopped();
  await bring(machine());
  expect(isThere()).toBe(false);
});

it('becomes the disk that names it, and is no more to be deleted', async () => {
  await stopped();
  await bring(machine([disk('db', { existingVolume: LEAVING, size: undefined, storage: undefined })]));
  expect(config()).toMatchObject({ scsi1: expect.stringContaining(LEAVING) as string });
  expect(config()['description']).not.toContain('"g":');
  await bring(machine());
  expect(config()).toMatchObject({ unused0: LEAVING });
  await bring(machine());
  expect(isThere()).toBe(true);
});

it('is not attached a second time while the machine still runs with it', async () => {
  const want = { existingVolume: LEAVING, size: undefined, storage: undefined };
  cluster.simulator.ledger.reset();
  const errors = (await cluster.bring(machine([disk('db', want)]))).join();
  expect(errors).toContain(`disk "db" is to be ${LEAVING} in scsi1, and VM 10000 has that volume in sata0`);
  expect(writes(cluster.simulator)).toEqual([]);
  // the way that it names: it stays where it is
  await bring(machine([disk('db', { ...want, slot: 'sata0' })]));
  await somebody('POST', '/status/stop');
  await bring(machine([disk('db', { ...want, slot: 'sata0' })]));
  expect(config()).toMatchObject({ sata0: expect.stringContaining(LEAVING) as string });
  expect(isThere()).toBe(true);
});

it('stays where somebody has attached it again, also once it is detached', async () => {
  await stopped();
  await somebody('PUT', '/config', { virtio5: LEAVING });
  await bring(machine());
  expect(config()['description']).not.toContain('"g":');
  await somebody('POST', '/status/stop');
  await somebody('PUT', '/config', { delete: 'virtio5' });
  await bring(machine());
  expect(config()).toMatchObject({ unused0: LEAVING });
});

it('stays where somebody has put it into the slot of a disk that leaves without its volume', async () => {
  await bring(machine([disk('logs')]));
  await stopped();
  await somebody('PUT', '/config', { delete: 'scsi1' });
  await somebody('PUT', '/config', { scsi1: LEAVING });
  const seen = cluster.events.length;
  await bring(machine());
  expect(isThere()).toBe(true);
  expect(told(seen)).not.toContain('its volume is deleted');
});

it('waits while the machine is protected, holds up nothing, and goes after that', async () => {
  await stopped();
  await somebody('PUT', '/config', { protection: '1' });
  const seen = cluster.events.length;
  await bring(machine([], { memory: '2Gi' }));
  expect(config()).toMatchObject({ memory: '2048', unused0: LEAVING });
  expect(told(seen)).toContain(`volume ${LEAVING} of a disk that left is still there`);
  await bring(machine([], { memory: '2Gi', protection: false }));
  expect(config()['protection']).toBe('0');
  expect(isThere()).toBe(false);
});

it('goes with its disk where one apply lifts the protection and drops the disk', async () => {
  await bring(machine([disk('logs', { onRemove: 'delete' })], { protection: true }));
  const logs = /^[^,]+/.exec(config()['scsi1']!)![0];
  const seen = cluster.events.length;
  await bring(machine([], { protection: false }));
  expect(cluster.world.volumes.map(({ volid }) => volid)).not.toContain(logs);
  expect(told(seen)).not.toContain('stays, unused');
});

it('a volume that a disk of the code has is not attached to a second one', async () => {
  const root = /^[^,]+/.exec(config()['scsi0']!)![0];
  const want = machine([disk('more', { existingVolume: root, size: undefined, storage: undefined })]);
  const errors = (await cluster.bring(want)).join();
  expect(errors).toContain(`VM 10000 has that volume in scsi0, as disk "root"`);
});

it.each([
  ['', {}],
  [' that the code names', { existingVolume: LEAVING, size: undefined, storage: undefined }],
])(
  'a disk%s that somebody moves while the machine runs is not brought back beside itself',
  async (_, more) => {
    const want = machine([disk('db', { slot: 'sata0', ...more })]);
    await stopped();
    await somebody('PUT', '/config', { sata0: LEAVING });
    await bring(want);
    await somebody('POST', '/status/stop').catch(() => undefined);
    await bring(want);
    await somebody('PUT', '/config', { delete: 'sata0' });
    await somebody('PUT', '/config', { sata3: LEAVING });
    const errors = (await cluster.bring(want)).join();
    expect(errors).toContain('It runs in sata0, and somebody wants it in sata3 from the next start on.');
    await somebody('PUT', '/config', { revert: 'sata3' });
    await bring(want);
    await somebody('POST', '/status/stop');
    expect(config()).toMatchObject({ sata0: expect.stringContaining(LEAVING) as string });
    expect(config()['sata3']).toBeUndefined();
  },
);

it("the machine's own EFI disk is not attached as a disk", async () => {
  const uefi = { bios: 'uefi', efiDisk: { storage: 'local-lvm' }, power: 'stopped' };
  await stopped();
  await bring(machine([], uefi));
  const efi = /^[^,]+/.exec(config()['efidisk0']!)![0];
  const want = disk('more', { existingVolume: efi, size: undefined, storage: undefined });
  const errors = (await cluster.bring(machine([want], uefi))).join();
  expect(errors).toContain(`that one is the machine's own efidisk0`);
});

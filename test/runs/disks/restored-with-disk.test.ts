import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';
import { backupsOf } from '../../support/runs/backed-up';
import { blankMachine } from '../../support/runs/blank-machine';

/** A backup with a disk that has left the spec since is restored over the machine: whoever did that wants what is on it. */
const disk = (more: Json): Json => ({
  ...{ name: 'old', size: '3G', storage: 'local-lvm', onRemove: 'delete' },
  ...more,
});
const machine = (...disks: Json[]): Json => ({ ...blankMachine, disks: [...blankMachine.disks, ...disks] });
const [VOLUME, FIRST] = ['local-lvm:vm-10000-disk-1', 'local-lvm:vm-10000-disk-0'];

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 5 })));
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const isThere = (volume = VOLUME): boolean => cluster.world.volumes.some(({ volid }) => volid === volume);
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);
const restoredWith = async (one: Json, now: Json, volume = VOLUME): Promise<void> => {
  await bring({ ...now, disks: machine(one).disks });
  await backupsOf(cluster).backUp();
  await bring(now);
  expect(isThere(volume)).toBe(false);
  await backupsOf(cluster).restore();
  expect(isThere(volume)).toBe(true);
};
const told = (): string => JSON.stringify(cluster.events);

it('it is taken off, and its volume is kept, in this round and in each later one', async () => {
  await restoredWith(disk({}), machine());
  await bring(machine());
  expect(guest().config).toMatchObject({ unused0: VOLUME });
  expect(told()).toContain(
    `disk old is detached and its volume ${VOLUME} stays, unused: VM 10000 was rolled`,
  );
  await bring(machine());
  await bring({ ...machine(), tags: ['x'] });
  await bring(machine(disk({ name: 'data' })));
  await bring(machine());
  expect(guest().config).toMatchObject({ unused0: VOLUME });
  expect(isThere()).toBe(true);
});

it('the same where it waits for a restart to be taken off', async () => {
  const off = { ...machine(), restart: 'never' };
  // PVE names the volumes of a creation in the order of their slots
  await restoredWith(disk({ type: 'sata' }), off, FIRST);
  expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/status/start')).toBe(true);
  const running = { ...off, power: 'running' };
  await bring(running);
  await bring({ ...running, tags: ['x'] });
  expect(guest().config['sata0']).toContain(FIRST);
  for (let round = 0; round < 2; round += 1) await bring({ ...running, restart: 'whenNeeded' });
  expect(guest().config).toMatchObject({ unused0: FIRST });
  expect(isThere(FIRST)).toBe(true);
});

it('by Terraform, whose plan names no loss', async () => {
  await restoredWith(disk({}), machine());
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(machine());
  const said = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Json;
  expect(said).toMatchObject({ worst: 'live', losses: [] });
  expect(await terraform.apply(machine(), token)).toEqual([]);
  expect(await terraform.apply(machine(), await terraform.plan(machine()))).toEqual([]);
  expect(guest().config).toMatchObject({ unused0: VOLUME });
});

it('it goes with its volume where the spec has wanted it once more since', async () => {
  await restoredWith(disk({}), machine());
  await bring(machine(disk({})));
  expect(guest().config['scsi1']).toContain(VOLUME);
  await bring(machine());
  expect(isThere()).toBe(false);
});

import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/**
 * A disk that leaves with its volume waits for a restart, and the machine is backed up meanwhile. Later another disk gets the
 * name of that volume, as Proxmox takes the first free one. A restore brings back the mark that wants it deleted.
 */
const disk = (name: string, more: Json = {}): Json => ({
  ...{ name, size: '1G', storage: 'local-lvm' },
  ...more,
});
const machine = (...disks: Json[]): Json => ({
  ...{ ...blankMachine, power: 'running', restart: 'never' },
  disks: [...blankMachine.disks, ...disks],
});
const VOLUME = 'local-lvm:vm-10000-disk-0';
const at = '/nodes/pve1';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;
const somebody = async (path: string, form: Record<string, string> = {}): Promise<void> =>
  expect(await administratorOf(cluster)('POST', at + path, form)).toBe(true);
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);
const isThere = (): boolean => cluster.world.volumes.some(({ volid }) => volid === VOLUME);

it('deletes no volume of another disk that has its name since', async () => {
  await bring(machine(disk('data', { type: 'sata', onRemove: 'delete' })));
  await bring(machine());
  expect(config()['description']).toContain(`"g":["${VOLUME}"]`);
  await somebody('/vzdump', { vmid: '10000', storage: 'local' });
  await somebody('/qemu/10000/status/stop');
  await bring(machine());
  expect(isThere()).toBe(false);

  const want = machine(disk('db'));
  await bring(want);
  expect(config()['scsi1']).toContain(VOLUME);
  await somebody('/qemu/10000/status/stop');
  const { volid: archive } = cluster.world.volumes.find(each => each.volid.includes('vzdump-qemu'))!;
  await somebody('/qemu', { vmid: '10000', archive, force: '1' });
  expect(config()).toMatchObject({ unused0: VOLUME });

  const seen = cluster.events.length;
  await bring(want);
  expect(config()).toMatchObject({ unused0: VOLUME });
  const told = JSON.stringify(cluster.events.slice(seen));
  expect(told).toContain(`disk db gets a new volume. The unused disks of this guest (${VOLUME})`);
  await bring(want);
  expect(config()).toMatchObject({ unused0: VOLUME });
});

import { administratorOf } from '../../support/cluster/administrator';
import { until } from '../../support/daemon/daemon-lab';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const disk = (name: string, more: Json = {}) => ({ name, size: '1G', storage: 'local-lvm', ...more });
const machine = (id: string, vmid: number, disks: Json[], more: Json = {}) => ({
  ...{ id, vmid, node: 'pve1', image: { blank: true }, power: 'stopped', disks },
  ...more,
});
const KEPT = 'local-lvm:vm-700-disk-1';
const web = (...disks: Json[]) => machine('web', 700, [disk('root'), ...disks]);
const other = (more: Json[] = []) => machine('other', 800, [disk('root'), ...more]);

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  await brings(web(disk('data')), other());
  await brings(web(), other());
  await expect(cluster.destroy('web')).rejects.toThrow(KEPT);
});
afterEach(() => cluster.close());

const brings = async (...machines: Json[]) =>
  expect(errorsOf(await cluster.run(desired(machines)))).toEqual([]);
const volumes = (): string[] => cluster.world.volumes.map(({ volid }) => volid);

test('a kept volume that is named as existingVolume is a disk again, and no kept volume holds the destroy up', async () => {
  await brings(web(disk('data', { existingVolume: KEPT, size: undefined, storage: undefined })), other());
  expect(cluster.world.guests[700]?.config).toMatchObject({ scsi1: expect.stringContaining(KEPT) });
  expect(cluster.world.guests[700]?.config['unused0']).toBeUndefined();
  await cluster.destroy('web');
  expect(volumes()).not.toContain(KEPT);
});

test.each(['unused0', 'scsi1'])('a kept volume that is given to another guest as %s stays', async target => {
  const form = { disk: 'unused0', 'target-vmid': '800', 'target-disk': target };
  const path = '/nodes/pve1/qemu/700/move_disk';
  expect(await administratorOf(cluster)('POST', path, form)).toBe(true);
  await cluster.destroy('web');
  const line = cluster.world.guests[800]?.config[target] ?? '';
  const volume = line.split(',')[0] ?? '';
  expect(volume).toBe('local-lvm:vm-800-disk-1');
  expect(volumes()).toContain(volume);
  // and there it is named for a disk, as the remedy says
  if (target === 'unused0')
    await brings(other([disk('data', { existingVolume: volume, size: undefined, storage: undefined })]));
});

test('each kept volume is given a slot of its own', async () => {
  await brings(web(disk('logs')), other());
  await brings(web(), other());
  const refused = await cluster.destroy('web').catch((error: Error) => error.message);
  const moves = [
    ...String(refused).matchAll(/qm disk move 700 (\w+) --target-vmid OTHER --target-disk (\w+)/g),
  ];
  expect(moves).toHaveLength(2);
  for (const [, slot = '', target = ''] of moves) {
    const form = { disk: slot, 'target-vmid': '800', 'target-disk': target };
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/700/move_disk', form)).toBe(true);
    await until(
      () => cluster.world.guests[800]?.config[target],
      line => line !== undefined,
    );
  }
  await cluster.destroy('web');
  expect(volumes()).toEqual(expect.arrayContaining(['local-lvm:vm-800-disk-1', 'local-lvm:vm-800-disk-2']));
});

test('a volume that another guest uses is given to it from the slot where it then is: another one may be in unused0', async () => {
  await brings({ ...web(disk('logs')), keptVolumes: 'destroy' }, other());
  const logs = cluster.world.guests[700]?.config['scsi1']?.split(',')[0] ?? '';
  const administrator = administratorOf(cluster);
  const configure = (vmid: number, form: Record<string, string>) =>
    administrator('PUT', `/nodes/pve1/qemu/${vmid}/config`, form);
  expect(await configure(800, { scsi1: logs })).toBe(true);
  const refused = await cluster.destroy('web').catch((error: Error) => error.message);
  expect(refused).toContain(`${logs} by guest 800`);
  // what is said first, to the letter
  expect(await configure(800, { delete: 'scsi1' })).toBe(true);
  expect(await configure(700, { delete: 'scsi1' })).toBe(true);
  expect(cluster.world.guests[700]?.config).toMatchObject({ unused0: KEPT, unused1: logs });
  expect(refused).not.toContain('qm disk move 700 unused0');
  expect(refused).toContain('qm disk move 700 SLOT');
  expect(refused).toContain('qm config 700 tells the slot');
});

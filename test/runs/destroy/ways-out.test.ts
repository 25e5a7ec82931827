import { administratorOf } from '../../support/cluster/administrator';
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

import { isVolumeGone, TaskError, volumesToldGone } from '../../../reconciler/pve';

const upid = 'UPID:pve1:000019F4:CEAC143E:6B06D73D:qmstart:10000:root@pam!full:';
const failed = (exitStatus: string): TaskError =>
  new TaskError('failed', { upid, node: 'pve1', exitStatus, log: [] });
const VOLUMES = ['local:360/vm-360-disk-1.qcow2', 'local-lvm:vm-360-disk-0', 'zfs:vm-360-disk-2'];

// the first as recorded (g6, step 26); the others are the tools' own words (assumed)
test.each([
  ["volume 'local:360/vm-360-disk-1.qcow2' does not exist", VOLUMES[0]],
  ["storage migration failed: volume 'local:360/vm-360-disk-1.qcow2' does not exist", VOLUMES[0]],
  [
    "can't activate LV '/dev/pve/vm-360-disk-0':   Failed to find logical volume \"pve/vm-360-disk-0\"",
    VOLUMES[1],
  ],
  ["zfs error: cannot open 'rpool/data/vm-360-disk-2': dataset does not exist", VOLUMES[2]],
])('of a failure is told which volume is gone: %s', (text, volume) => {
  expect([isVolumeGone(failed(text)), volumesToldGone(failed(text), VOLUMES)]).toEqual([true, [volume]]);
});

test.each([
  "volume 'local:iso/data.iso' does not exist",
  "volume 'local-lvm:vm-360-disk-01' does not exist",
  "disk 'scsi2' does not exist",
  "bridge 'vmbr9' does not exist",
  'VM is locked (clone)',
])('none of the guest in: %s', text => {
  expect(volumesToldGone(failed(text), VOLUMES)).toEqual([]);
});

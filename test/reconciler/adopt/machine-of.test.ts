import { machineOf } from '../../../reconciler/adopt/spec/machine-of';
import { guest } from '../../support/reconciler/observed';

test('a disk that takes the place of a CD at the next start is left out, and with it the boot order that names it', () => {
  const config = {
    ...{ scsi0: 'local-lvm:vm-101-disk-0,size=4G', net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' },
    ...{ ide0: 'local:iso/debian.iso,media=cdrom', boot: 'order=net0;ide0', tags: '' },
  };
  const pending = { ide0: 'local-lvm:vm-101-disk-1,size=1G' };
  const there = guest(config, { pending, mark: undefined });
  const around = { owner: 'team', cluster: { name: 'lab' }, uuid: '0' };
  const { json, unmanaged } = machineOf(there, { id: 'web' }, around);
  expect(json).not.toHaveProperty('bootOrder');
  expect(json['disks']).toMatchObject([{ name: 'data', slot: 'scsi0' }]);
  expect(unmanaged).toEqual(expect.arrayContaining(['boot', 'ide0']));
});

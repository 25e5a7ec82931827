import { bridgeOf, diskType } from '../../spec';

test.each([
  [{ name: 'lan' }, 'vmbr0'],
  [{ name: 'default' }, 'vmbr0'],
  [{ name: 'dmz' }, 'vmbr1'],
  [{ name: 'mgmt' }, 'vmbr2'],
  [{ name: 'management' }, 'vmbr2'],
  [{ name: 'vmbr12' }, 'vmbr12'],
  [{ name: 'lan', bridge: 'vmbr5' }, 'vmbr5'],
  [{ name: 'eth0', bridge: 'dmz' }, 'vmbr1'],
  [{ name: 'eth0' }, undefined],
  [{ name: 'toString' }, undefined],
])('%p is on %p', (network, bridge) => expect(bridgeOf(network, {})).toBe(bridge));

test("the cluster's own entries win, and add to the default map", () => {
  const networkMap = { lan: 'vmbr9', storage: 'vmbr3' };
  expect(bridgeOf({ name: 'lan' }, { networkMap })).toBe('vmbr9');
  expect(bridgeOf({ name: 'storage' }, { networkMap })).toBe('vmbr3');
  expect(bridgeOf({ name: 'dmz' }, { networkMap })).toBe('vmbr1');
});

test.each([
  [{}, 'scsi'],
  [{ slot: 'virtio3' }, 'virtio'],
  [{ type: 'sata' as const }, 'sata'],
])('the bus of disk %p is %s', (disk, type) => expect(diskType(disk)).toBe(type));

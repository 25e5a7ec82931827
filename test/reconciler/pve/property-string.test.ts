import * as fc from 'fast-check';
import { isSatisfied } from '../../../reconciler/machine/compare';
import { parseProperties, printProperties } from '../../../reconciler/pve/keys/property-string';
import { keyRow } from '../../../reconciler/pve/keys/key-row';
import { KEYS } from '../../../reconciler/pve/keys/keys';
import { tries } from '../../support/random/tries';

const table = (key: string) => {
  const found = keyRow(key);
  if (!found) throw new Error(`no table for ${key}`);
  return found;
};

/** Whether a property string says what another one says, and nothing else. */
const means = (key: string, one: string, other: string): boolean =>
  [
    [one, other],
    [other, one],
  ].every(([said = '', there = '']) =>
    Object.entries(parseProperties(table(key), said)).every(([property, value]) =>
      isSatisfied({ field: '', key, property, value }, { [key]: there }),
    ),
  );

test.each([
  [
    'net0',
    'virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1,tag=100',
    { model: 'virtio', macaddr: 'BC:24:11:00:00:01', bridge: 'vmbr0', firewall: true, tag: 100 },
  ],
  ['net1', 'e1000,bridge=vmbr1,link_down=yes', { model: 'e1000', bridge: 'vmbr1', link_down: true }],
  [
    'scsi0',
    'local:130/vm-130-disk-0.raw,size=128M,ssd=1',
    { file: 'local:130/vm-130-disk-0.raw', size: '128M', ssd: true },
  ],
  ['ide2', 'none,media=cdrom', { file: 'none', media: 'cdrom' }],
  ['agent', '1', { enabled: true }],
  ['agent', 'enabled=1,fstrim_cloned_disks=0', { enabled: true, fstrim_cloned_disks: false }],
  ['cpu', 'host,flags=+aes;-pcid', { cputype: 'host', flags: '+aes;-pcid' }],
  ['boot', 'order=scsi0;net0', { order: 'scsi0;net0' }],
  ['memory', '2048', { current: 2048 }],
  ['startup', 'order=3,up=20', { order: 3, up: 20 }],
  [
    'smbios1',
    'uuid=0b7c0b6e-5d5f-4f4c-9a55-0c7c2b1d9f11,base64=1',
    { uuid: '0b7c0b6e-5d5f-4f4c-9a55-0c7c2b1d9f11', base64: true },
  ],
  ['virtio0', 'file=local:1/x.raw,bps_rd_length=2', { file: 'local:1/x.raw', bps_rd_max_length: 2 }],
])('%s %s', (key, text, properties) => {
  expect(parseProperties(table(key), text)).toEqual(properties);
  expect(means(key, text, printProperties(table(key), properties))).toBe(true);
});

test('printing is what Proxmox prints: the default key first and bare, then by name', () => {
  expect(
    printProperties(table('net0'), {
      tag: 5,
      bridge: 'vmbr0',
      macaddr: 'AA:BB:CC:00:00:01',
      model: 'virtio',
      firewall: true,
    }),
  ).toBe('virtio=AA:BB:CC:00:00:01,bridge=vmbr0,firewall=1,tag=5');
});

test('what is printed is read back, for every key', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9.:/-]{0,12}$/);
  for (const [key, row] of Object.entries(KEYS)) {
    const { properties: said, pair } = row;
    if (said === undefined) continue;
    const values = Object.fromEntries(
      Object.entries(said).map(([name, { kind }]) => [
        name,
        kind === 'boolean' ? fc.boolean() : kind === undefined ? word : fc.nat(),
      ]),
    );
    const properties = fc
      .record(values, { requiredKeys: pair ? [pair.value] : [] })
      .map(known => ({ ...known, ...(pair ? { [pair.name]: 'virtio' } : {}) }));
    fc.assert(
      fc.property(properties, given => {
        expect([key, parseProperties(row, printProperties(row, given))]).toEqual([key, given]);
      }),
      tries(50),
    );
  }
});

test('meaning, not spelling, is compared', () => {
  expect(means('agent', '1', 'enabled=on')).toBe(true);
  expect(
    means('net0', 'virtio=bc:24:11:00:00:01,bridge=a', 'bridge=a,macaddr=BC:24:11:00:00:01,model=virtio'),
  ).toBe(true);
  expect(means('net0', 'virtio=bc:24:11:00:00:01,bridge=a', 'virtio=bc:24:11:00:00:01,bridge=b')).toBe(false);
});

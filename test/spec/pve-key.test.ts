import { PVE_KEYS, pveKey } from '../../spec';

test.each<[string, number | undefined]>([
  ['net0', 0],
  ['scsi30', 30],
  ['numa', undefined],
  ['numa7', 7],
  ['rng0', undefined],
  ['smbios1', undefined],
])('PVE knows %s', (name, index) => expect(pveKey(name)?.index).toBe(index));

test.each(['net', 'net01', 'scsi', 'rng1', 'numa[n]', 'toString', 'cores0', ''])(
  'PVE does not know %p',
  name => expect(pveKey(name)).toBeUndefined(),
);

test('each key of PVE has a field, is reserved, or may be given as an option', () => {
  const free = Object.keys(PVE_KEYS).filter(
    name => PVE_KEYS[name]?.field === undefined && PVE_KEYS[name]?.reserved === undefined,
  );
  expect(free).toEqual([
    'allow-ksm',
    'amd-sev',
    'arch',
    'args',
    'autostart',
    'cicustom',
    'citype',
    'freeze',
    'intel-tdx',
    'ivshmem',
    'keephugepages',
    'migrate_downtime',
    'migrate_speed',
    'numa[n]',
    'parallel',
    'reboot',
    'spice_enhancements',
    'startdate',
    'tdf',
    'vmgenid',
    'vmstatestorage',
  ]);
});

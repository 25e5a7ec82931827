import { PVE_KEYS, pveKey, rootOnlyFields } from '../../spec';
import { parsedMachine } from './sample';

test('a machine names the fields that only root may set', () => {
  const said = parsedMachine({
    cpu: { affinity: '0-3', numa: true },
    hugepages: 'any',
    hookScript: 'local:snippets/hook.pl',
    pci: [{ mapping: 'gpu', romFile: 'gpu.rom' }, { host: '01:00.0' }],
    usb: [{ host: 'spice' }, { host: '1-2' }],
    serial: ['socket', '/dev/ttyS0'],
    options: { args: '-x', citype: 'nocloud', parallel0: '/dev/parport0' },
  });
  expect(rootOnlyFields(said)).toEqual([
    'cpu.affinity',
    'hugepages',
    'hookScript',
    'pci[0].romFile',
    'pci[1].host',
    'usb[1].host',
    'serial[1]',
    'options.args',
    'options.parallel0',
  ]);
  expect(rootOnlyFields(parsedMachine({}))).toEqual([]);
});

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

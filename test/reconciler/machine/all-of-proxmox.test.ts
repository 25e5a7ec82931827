import { keyName, keyRow } from '../../../reconciler/pve/keys/key-row';
import { parseProperties } from '../../../reconciler/pve/keys/property-string';
import { parametersOf } from '../../../simulator/schema/check';
import { ENDPOINTS, FORMATS, type Property } from '../../../simulator/schema/endpoint';
import { parseMachine, PVE_KEYS, pveKey } from '../../../spec';
import { cluster, planContext, planMachine } from '../../support/reconciler/observed';
import { machine } from '../../support/spec/machine';
import { WANTED_FIELDS } from '../../support/spec/machine-fields';
import { withWanted } from '../../support/spec/with-field';

const AT = '/nodes/{node}/qemu';
const PARAMETERS = Object.assign(
  {},
  ...ENDPOINTS.filter(({ method, path }) =>
    [`POST ${AT}`, `PUT ${AT}/{vmid}/config`, `POST ${AT}/{vmid}/config`].includes(`${method} ${path}`),
  ).map(parametersOf),
) as Record<string, Property>;
/** Where the guest is: part of the path. */
const NAMES = Object.keys(PARAMETERS).filter(name => name !== 'node');
const BUSES = /^(?:scsi|virtio|sata|ide)\[n\]$/;

/** The keys and `key.property` that some field of a machine writes. A drive's properties are those of every bus. */
const WRITTEN = new Set(WANTED_FIELDS.flatMap(row => row.values.flatMap(value => writtenBy(row, value))));

function writtenBy(row: (typeof WANTED_FIELDS)[number], value: unknown): string[] {
  const base = {
    disks: ['root', 'data'].map(name => ({ name, size: '4Gi', storage: 'slow' })),
    networks: [{ name: 'lan' }],
  };
  const { actions } = planMachine(
    machine(withWanted({ ...base }, row, value)),
    { kind: 'absent' },
    cluster(),
    planContext(),
  );
  const written = actions.flatMap(action =>
    Object.entries(action.kind === 'create' ? action.params : action.kind === 'configure' ? action.set : {}),
  );
  return written.flatMap(([key, text]) => {
    const name = keyName(key).replace(BUSES, 'drive');
    const properties = Object.keys(parseProperties(keyRow(key) ?? {}, String(text)));
    return [name, ...properties.map(property => `${name}.${property}`)];
  });
}

/** What options may say of each key that has no field. */
const AS_OPTION: Record<string, string | number | boolean> = {
  'allow-ksm': true,
  'amd-sev': 'snp,allow-smt=1,kernel-hashes=1,no-debug=1,no-key-sharing=0',
  arch: 'x86_64',
  args: '-no-reboot',
  autostart: true,
  cicustom: 'user=local:snippets/a.yaml,meta=local:snippets/m.yaml',
  citype: 'nocloud',
  freeze: true,
  'intel-tdx': 'tdx,attestation=1,vsock-cid=2,vsock-port=4050',
  ivshmem: 'size=32,name=shared',
  keephugepages: true,
  migrate_downtime: 0.5,
  migrate_speed: 100,
  'numa[n]': 'cpus=0-1,hostnodes=0,memory=512,policy=bind',
  parallel: '/dev/parport0',
  reboot: true,
  spice_enhancements: 'foldersharing=1,videostreaming=filter',
  startdate: '2026-01-01T10:00:00',
  tdf: true,
  vmgenid: '1',
  vmstatestorage: 'local-lvm',
};

const DRIVE_OPTION: Record<string, string | number | boolean> = {
  bps_max_length: 5,
  bps_rd_max_length: 5,
  bps_wr_max_length: 5,
  detect_zeroes: true,
  iops_max_length: 5,
  iops_rd_max_length: 5,
  iops_wr_max_length: 5,
  model: 'disk',
  product: 'disk',
  queues: 4,
  rerror: 'stop',
  scsiblock: true,
  shared: true,
  snapshot: true,
  vendor: 'acme',
  werror: 'stop',
  wwn: '0x5000c500a0b1c2d3',
};

/** What no field and no option says, and why. */
const LEFT_OUT: Record<string, string> = {
  'cpu.reported-model': 'only for models that a file of the cluster defines',
  'agent.freeze-fs': 'another name of what agent.freezeFs says, which PVE 8.4 does not know',
  'boot.legacy': 'the form before PVE 6: bootOrder writes the one that took its place',
  'drive.bps': 'limits.mbps says the same',
  'drive.bps_rd': 'limits.mbpsRead says the same',
  'drive.bps_wr': 'limits.mbpsWrite says the same',
  'drive.format': 'of a new volume, which an image or a storage makes: disks[].format',
  'drive.import-from': 'how an image becomes a disk: image.url',
  'drive.media': 'cdrom and image.iso say it',
  'drive.size': 'PVE writes it: disks[].size is what is wanted',
  'efidisk0.size': 'PVE chooses it',
  'efidisk0.import-from': 'its content is made by PVE',
  'tpmstate0.size': 'PVE chooses it',
  'tpmstate0.import-from': 'its content is made by PVE',
};

function optionFault(options: Record<string, unknown>): string | undefined {
  const parsed = parseMachine({ id: 'web', image: { blank: true }, options });
  return parsed.ok ? undefined : parsed.problems.map(({ reason, remedy }) => `${reason} ${remedy}`).join();
}

test('every key that Proxmox takes for a machine is known', () => {
  expect(NAMES.length).toBeGreaterThan(250);
  expect(NAMES.filter(name => pveKey(name) === undefined)).toEqual([]);
});

test('every key has a field that writes it, is accepted in options, or is refused there with what to do', () => {
  const faults = NAMES.flatMap(name => {
    const found = pveKey(name)!.key;
    if (found.field === undefined && found.reserved === undefined) {
      const fault = optionFault({
        [name]:
          AS_OPTION[name] ?? AS_OPTION[name.replace(/\d+$/, '[n]')] ?? AS_OPTION[name.replace(/\d+$/, '')],
      });
      return fault === undefined ? [] : [`${name}: ${fault}`];
    }
    const fault = optionFault({ [name]: '1' }) ?? 'is accepted, though a field says it';
    return fault.includes(found.field ?? found.reserved ?? '') ? [] : [`${name}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test('every property of a key that has a field is written by one, or stands in the list with its reason', () => {
  const places = NAMES.flatMap(name => {
    const { format } = PARAMETERS[name]!;
    const properties = (typeof format === 'string' ? FORMATS[format] : format)?.properties ?? {};
    const { key } = pveKey(name)!;
    // what options take is text of PVE, whole
    if (key.field === undefined || ['cdrom', 'storage'].includes(name)) return [];
    return Object.entries(properties)
      .filter(([, { alias }]) => alias === undefined)
      .map(([property]) => `${keyName(name).replace(BUSES, 'drive')}.${property}`);
  });
  const out = [...new Set(places)].filter(place => !WRITTEN.has(place) && LEFT_OUT[place] === undefined);
  expect(out.filter(place => DRIVE_OPTION[place.replace('drive.', '')] === undefined)).toEqual([]);
  const invented = Object.keys(LEFT_OUT).filter(place => !places.includes(place));
  expect(invented).toEqual([]);
});

test.each(Object.entries(DRIVE_OPTION))('disks[].options.%s is accepted', (name, value) => {
  const disk = {
    name: 'data',
    size: '1Gi',
    type: name === 'model' ? 'ide' : 'scsi',
    options: { [name]: value },
  };
  const burst = name.endsWith('_length') ? { limits: limitsFor(name) } : {};
  const parsed = parseMachine({ id: 'web', image: { blank: true }, disks: [{ ...disk, ...burst }] });
  expect(parsed.ok ? [] : parsed.problems).toEqual([]);
});

/** A length is that of a burst. */
function limitsFor(name: string): Record<string, number> {
  const [, what = '', way = ''] = /^(bps|iops)_(rd|wr)?/.exec(name) ?? [];
  const field = `${what === 'bps' ? 'mbps' : 'iops'}${{ rd: 'Read', wr: 'Write', '': '' }[way] ?? ''}`;
  return { [field]: 10, [`${field}Max`]: 20 };
}

test('options know no key that Proxmox does not have', () => {
  const known = new Set(NAMES.map(name => keyName(name).replace('[n]', '')));
  expect(Object.keys(PVE_KEYS).filter(name => !known.has(name.replace('[n]', '')))).toEqual([]);
});

import {
  Image,
  Machine,
  MachineClass,
  PlacementPolicy,
  ProxmoxNode,
  Reference,
  Size,
  type MachineProps,
} from '../../constructs';
import { canonical, parseMachine } from '../../spec';
import { WANTED_FIELDS } from '../support/spec/machine-fields';
import { synthesized } from '../support/constructs/synthesized';
import { withField } from '../support/spec/with-field';

type Json = Record<string, unknown>;
const BASE = {
  image: { blank: true },
  disks: [
    { name: 'root', size: '4Gi', storage: 'fast' },
    { name: 'data', size: '4Gi', storage: 'fast' },
  ],
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
};

test('every value of every field that becomes part of a guest arrives in the spec as it was said', () => {
  const said = WANTED_FIELDS.flatMap(({ field, values, base = {} }) =>
    values.map(value => withField({ ...structuredClone(BASE), ...structuredClone(base) }, field, value)),
  ).filter(fields => parseMachine({ id: 'x', ...fields }).ok);
  const { spec } = synthesized(stack => {
    // each machine is checked alone here: many say the same address
    said.forEach((fields, index) => {
      new Machine(stack, `m${index}`, { ...withoutAddresses(fields), image: Image.blank() } as MachineProps);
    });
  });
  expect(said.length).toBeGreaterThan(200);
  said.forEach((fields, index) => {
    const parsed = parseMachine({ id: `m${index}`, ...withoutAddresses(fields) });
    expect(canonical(spec(`m${index}`))).toBe(canonical(parsed.ok ? parsed.value : parsed.problems));
  });
});

/** Addresses may stand in one machine only. */
function withoutAddresses(fields: Json): Json {
  const cards = fields['networks'] as Json[];
  return {
    ...fields,
    networks: cards.map(({ ipv4: _4, ipv6: _6, staticIP: _both, macAddress: _mac, ...card }) => card),
  };
}

test('addresses, references, sizes and behaviour arrive too', () => {
  const { spec } = synthesized(stack => {
    new Machine(stack, 'web', {
      image: Image.fromTemplate('debian-13', { clone: 'full', snapshot: 'clean' }),
      memory: Size.gibibytes(4),
      balloon: Size.mebibytes(512),
      networks: [
        { name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' }, ipv6: 'auto' },
        { name: 'dmz', staticIP: { address: '2001:DB8::10/64', dns: ['192.0.2.53'] } },
      ],
      cloudInit: { passwordFrom: Reference.fromFile('/run/password'), passwordVersion: 2 },
      waitFor: { address: { family: 'ipv4', interface: 'eth0', cidr: '192.0.2.0/24' } },
      placement: { antiAffinity: [{ key: 'app', operator: 'In', values: ['web'] }] },
      clear: ['cpu.limit'],
      rebuildOn: ['image', 'disks'],
    });
  });
  expect(spec('web')).toEqual({
    id: 'web',
    image: { template: 'debian-13', clone: 'full', snapshot: 'clean' },
    memory: 4294967296,
    balloon: 536870912,
    networks: [
      { name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' }, ipv6: 'auto' },
      { name: 'dmz', staticIP: { address: '2001:db8::10/64', dns: ['192.0.2.53'] } },
    ],
    cloudInit: { passwordFrom: { file: '/run/password' }, passwordVersion: 2 },
    waitFor: { address: { family: 'ipv4', interface: 'eth0', cidr: '192.0.2.0/24' } },
    placement: { antiAffinity: [{ key: 'app', operator: 'In', values: ['web'] }] },
    clear: ['cpu.limit'],
    rebuildOn: ['disks', 'image'],
  });
});

test.each([
  ['MiB', Size.mebibytes(3), 3 * 2 ** 20],
  ['GiB', Size.gibibytes(3), 3 * 2 ** 30],
  ['TiB', Size.tebibytes(3), 3 * 2 ** 40],
])('a size in %s is so many bytes', (_, size, bytes) => {
  expect(size.bytes).toBe(bytes);
});

const ROOT = { name: 'root', storage: 'fast', size: '1Gi' };
const URL_OF_IT = 'https://example.com/a.img';
const SUM = `sha256:${'0'.repeat(64)}`;

test.each<[string, Image, Json]>([
  ['a template by name', Image.fromTemplate('debian-13'), { template: 'debian-13' }],
  ['a template by vmid', Image.fromTemplate(9000), { template: 9000 }],
  [
    'a template by tag',
    Image.fromTemplateWithTag('golden', { clone: 'full' }),
    { template: { tag: 'golden' }, clone: 'full' },
  ],
  ['a machine by id', Image.fromMachine('base'), { machine: 'base' }],
  ['an ISO', Image.fromIso('local:iso/debian.iso'), { iso: 'local:iso/debian.iso' }],
  [
    'a file of this machine',
    Image.fromFile('/images/a.qcow2', { checksum: SUM }),
    { file: '/images/a.qcow2', checksum: SUM },
  ],
  ['an address', Image.fromUrl(URL_OF_IT, { checksum: SUM }), { url: URL_OF_IT, checksum: SUM }],
  ['nothing', Image.blank(), { blank: true }],
])('an image from %s', (_, image, wanted) => {
  const { spec } = synthesized(stack => {
    new Machine(stack, 'base', { image: Image.blank() });
    new Machine(stack, 'web', { image, disks: [ROOT] });
  });
  expect(spec('web')).toEqual({ id: 'web', image: wanted, disks: [{ ...ROOT, size: 2 ** 30 }] });
});

test('an image may be another machine, as a construct', () => {
  const { spec } = synthesized(stack => {
    const base = new Machine(stack, 'base', { id: 'first', image: Image.blank() });
    new Machine(stack, 'web', { image: Image.fromMachine(base, { clone: 'linked' }) });
  });
  expect(spec('web')).toEqual({ id: 'web', image: { machine: 'first', clone: 'linked' } });
});

test('a placement that many machines name is the placement of each', () => {
  const apart = new PlacementPolicy({
    name: 'apart',
    nodes: ['pve1', 'pve2'],
    affinity: [{ key: 'role', operator: 'In', values: ['cache'], mode: 'soft' }],
    antiAffinity: [{ key: 'role', operator: 'In', values: ['db'] }],
    minFreeMemory: Size.gibibytes(4),
  });
  const { spec } = synthesized(stack =>
    ['web', 'db'].forEach(id => new Machine(stack, id, { image: Image.blank(), placement: apart })),
  );
  const said = {
    nodes: ['pve1', 'pve2'],
    affinity: [{ key: 'role', operator: 'In', values: ['cache'], mode: 'soft' }],
    antiAffinity: [{ key: 'role', operator: 'In', values: ['db'] }],
    minFreeMemory: 4 * 2 ** 30,
  };
  expect([spec('web')['placement'], spec('db')['placement']]).toEqual([said, said]);
});

test("what a machine says wins over its class, and its class over the cluster's defaults", () => {
  const medium = new MachineClass({
    name: 'medium',
    cpus: 4,
    memory: '8Gi',
    machine: { type: 'q35', viommu: 'intel' },
    storage: { class: 'fast', type: 'thick' },
  });
  const { spec } = synthesized(
    stack => {
      new Machine(stack, 'web', {
        image: Image.blank(),
        class: medium,
        memory: '4Gi',
        disks: [{ name: 'root', size: '8Gi' }],
      });
    },
    { defaults: { memory: '1Gi', cpu: { cores: 1, type: 'host' }, onBoot: true } },
  );
  expect(spec('web')).toEqual({
    id: 'web',
    image: { blank: true },
    cpu: { cores: 4, type: 'host' },
    memory: 4294967296,
    machine: { type: 'q35', viommu: 'intel' },
    onBoot: true,
    disks: [{ name: 'root', size: 8589934592, storage: 'fast', allocation: 'thick' }],
  });
});

test('nodes stand in the desired state, sorted and without what nobody said', () => {
  const state = synthesized(stack => {
    new ProxmoxNode(stack, 'two', { nodeName: 'pve2', labels: { zone: 'b' }, minFreeMemory: '4Gi' });
    new ProxmoxNode(stack, 'pve1', { schedulable: false, maxVMs: 20 });
  }).desiredState();
  expect(state['nodes']).toEqual([
    { nodeName: 'pve1', schedulable: false, maxVMs: 20 },
    { nodeName: 'pve2', labels: { zone: 'b' }, minFreeMemory: 4294967296 },
  ]);
});

test.each<[string, MachineProps]>([
  ['former ids', { formerIds: [] }],
  ['fields to clear', { clear: [] }],
  ['reasons to make it anew', { rebuildOn: [] }],
  ['resources that it waits for', { dependsOn: [] }],
])('none of the %s is written as if nothing was said', (_, props) => {
  const textOf = (more: MachineProps): string =>
    synthesized(stack => new Machine(stack, 'web', { image: Image.blank(), ...more })).text;
  expect(textOf(props)).toBe(textOf({}));
});

test('an empty list that takes something away stays: tags, disks, networks, keys, name servers', () => {
  const empty = { tags: [], disks: [], networks: [], cloudInit: { sshKeys: [], dns: { servers: [] } } };
  const { spec } = synthesized(stack => new Machine(stack, 'web', { image: Image.blank(), ...empty }));
  expect(spec('web')).toMatchObject(empty);
});

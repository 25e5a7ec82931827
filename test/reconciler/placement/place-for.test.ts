import { placeFor } from '../../../reconciler/placement/placement';
import type { PlacementFacts } from '../../../reconciler/placement/placement-facts';
import {
  GiB,
  listed,
  node,
  resident,
  site,
  storage,
  wanted,
  type Fields,
} from '../../support/reconciler/placement-site';

function reasons(
  machine: Fields,
  where: PlacementFacts,
  sources: Parameters<typeof placeFor>[1] = { guests: [] },
): string {
  const choice = placeFor(wanted(machine), sources, where);
  if (!('why' in choice)) throw new Error(`placed on ${choice.node}`);
  return choice.detail;
}
const place = (
  machine: Fields,
  where: PlacementFacts,
  sources: Parameters<typeof placeFor>[1] = { guests: [] },
) => placeFor(wanted(machine), sources, where);

const labels = [{ nodeName: 'pve1', labels: { zone: 'a' } }];
const full = { memory: 4 * GiB, memoryUsed: 3 * GiB };

const REFUSED: [string, Fields, PlacementFacts, string][] = [
  [
    'a node that the cluster does not allow',
    {},
    site([node('pve1')], { clusterSpec: { name: 'lab', nodes: ['pve2'] } }),
    "not among the cluster's nodes",
  ],
  [
    'a node that placement does not allow',
    { placement: { nodes: ['pve2'] } },
    site([node('pve1')]),
    'not among placement.nodes',
  ],
  ['a node that is off', {}, site([node('pve1', { online: false })]), 'offline'],
  ['a node in maintenance', {}, site([node('pve1', { maintenance: true })]), 'in maintenance'],
  [
    'a node where nothing new goes',
    {},
    site([node('pve1')], { nodes: [{ nodeName: 'pve1', schedulable: false }] }),
    'not schedulable',
  ],
  [
    'a node with as many guests as it may have, the planned ones among them',
    {},
    site([node('pve1')], {
      nodes: [{ nodeName: 'pve1', maxVMs: 2 }],
      guests: [listed(100, 'pve1')],
      residents: [resident({}, 'pve1')],
    }),
    'it has 2 guests, and 2 are allowed',
  ],
  [
    'a node with as many guests as the machine allows',
    { placement: { maxVMsPerNode: 1 } },
    site([node('pve1')], { guests: [listed(100, 'pve1')] }),
    'it has 1 guest, and 1 is allowed',
  ],
  [
    'a node without a label',
    { placement: { nodeSelector: { zone: 'b' } } },
    site([node('pve1')], { nodes: labels }),
    'without the label zone=b',
  ],
  ['a node with fewer CPUs', { cpu: { cores: 16 } }, site([node('pve1')]), 'it has 8 CPUs, 16 are wanted'],
  [
    'a node with too little memory',
    { memory: '2Gi' },
    site([node('pve1', full)]),
    'memory: 1Gi to give, 2Gi are wanted',
  ],
  [
    'a node with less memory than a whole unit, told in one unit',
    { memory: '2Gi' },
    site([node('pve1', { ...full, memoryUsed: (full.memoryUsed ?? 0) + GiB / 4 })]),
    'memory: 768Mi to give, 2048Mi are wanted',
  ],
  [
    'a storage whose room is an odd number of bytes',
    { disks: [{ name: 'root', storage: 'local', size: '200Gi' }] },
    site([node('pve1', { storages: [storage('local', { available: 100 * GiB - 1 })] })]),
    "storage 'local' has 102399Mi free, 204800Mi are wanted",
  ],
  [
    'a node whose memory is promised',
    { memory: '1Gi' },
    site([node('pve1', full)], { residents: [resident({ memory: '1Gi' }, 'pve1')] }),
    'insufficient resources on node (memory: 0 to give',
  ],
  [
    'a node that must keep memory',
    { memory: '1Gi' },
    site([node('pve1', full)], { nodes: [{ nodeName: 'pve1', minFreeMemory: GiB / 2 }] }),
    '512Mi to give',
  ],
  [
    'a node without the storage',
    { disks: [{ name: 'root', storage: 'fast', size: '1Gi' }] },
    site([node('pve1')]),
    "storage 'fast' not found, it has local",
  ],
  [
    "a node without the ISO's storage",
    { image: { iso: 'nas:iso/a.iso' } },
    site([node('pve1')]),
    "storage 'nas' not found",
  ],
  [
    'a node without the room',
    { disks: [{ name: 'root', storage: 'local', size: '200Gi' }] },
    site([node('pve1')]),
    "storage 'local' has 100Gi free, 200Gi are wanted",
  ],
  [
    'a node whose room is promised',
    { disks: [{ name: 'root', storage: 'vg', size: '60Gi' }] },
    site([node('pve1', { storages: [storage('vg', { type: 'lvm' })] })], {
      residents: [resident({ disks: [{ name: 'root', storage: 'vg', size: '60Gi' }] }, 'pve1')],
    }),
    "storage 'vg' has 40Gi free",
  ],
  [
    'a storage for other things',
    { disks: [{ name: 'root', storage: 'local', size: '1Gi' }] },
    site([node('pve1', { storages: [storage('local', { content: ['iso'] })] })]),
    'takes no disks',
  ],
  [
    'a node without the bridge',
    { networks: [{ name: 'dmz' }] },
    site([node('pve1')]),
    "bridge 'vmbr1' not found, it has vmbr0",
  ],
  [
    'a node beside what it must not be beside',
    { placement: { antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }] } },
    site([node('pve1')], { residents: [resident({ labels: { app: 'db' } }, 'pve1')] }),
    "kept apart from 'other'",
  ],
  [
    'a node with what must not be beside it',
    { labels: { app: 'db' } },
    site([node('pve1')], {
      residents: [resident({ placement: { antiAffinity: [{ key: 'app', operator: 'Exists' }] } }, 'pve1')],
    }),
    "kept apart from 'other'",
  ],
  [
    'a node with a tag that it must not be beside',
    { placement: { antiAffinity: [{ key: 'tag', operator: 'In', values: ['noisy'] }] } },
    site([node('pve1')], { guests: [listed(100, 'pve1', { tags: ['noisy'] })] }),
    "kept apart from 'g100'",
  ],
];

it.each(REFUSED)('does not take %s', (_, machine, where, reason) => {
  expect(reasons(machine, where)).toContain(reason);
  expect(placeFor(wanted({ id: 'free' }), { guests: [] }, site([node('pve1')]))).toMatchObject({
    node: 'pve1',
  });
});

it('says of each node the first reason', () => {
  const where = site([node('pve1', { online: false }), node('pve2', full)]);
  expect(reasons({ memory: '2Gi' }, where)).toBe(
    'no node can take it (pve1: offline; pve2: insufficient resources on node (memory: 1Gi to give, 2Gi are wanted)).',
  );
});

it('says what the machine lacks, where people search the log for that', () => {
  const lacking = (machine: Fields, where: PlacementFacts) => {
    const choice = place(machine, where);
    return 'why' in choice ? choice.cause : undefined;
  };
  const disks = [{ name: 'root', storage: 'local', size: '900Gi' }];
  const networks = [{ name: 'dmz' }];
  expect(lacking({ networks, memory: '2Gi' }, site([node('pve1'), node('pve2', full)]))).toEqual({
    about: 'resources',
    facts: { node: 'pve2', available: '1Gi', requested_memory: '2Gi' },
  });
  expect(lacking({ cpu: { cores: 16 } }, site([node('pve1')]))).toEqual({
    about: 'resources',
    facts: { node: 'pve1' },
  });
  expect(lacking({ disks }, site([node('pve1')]))).toMatchObject({
    about: 'resources',
    facts: { node: 'pve1', storage: 'local', requested: '900Gi' },
  });
  expect(lacking({ networks }, site([node('pve1')]))).toEqual({
    about: 'bridge',
    facts: { bridge: 'vmbr1', node: 'pve1' },
  });
  expect(lacking({}, site([node('pve1', { online: false })]))).toBeUndefined();
});

it('gives room on demand where a storage gives it on demand', () => {
  const disks = [{ name: 'root', storage: 'local', size: '60Gi' }];
  const where = site([node('pve1')], { residents: [resident({ disks }, 'pve1')] });
  expect(place({ disks }, where)).toMatchObject({ node: 'pve1' });
});

describe('of the nodes that fit', () => {
  const two = [node('pve1'), node('pve2')];
  const ORDER: [string, Fields, PlacementFacts, string][] = [
    ['by name when nothing tells them apart', {}, site([node('pve2'), node('pve1')]), 'pve1'],
    ['its own first', { node: 'pve2' }, site(two), 'pve2'],
    [
      'another when its own cannot',
      { node: 'pve2' },
      site([node('pve1'), node('pve2', { online: false })]),
      'pve1',
    ],
    ['those that the runner prefers', {}, site(two, { preferred: ['pve2'] }), 'pve2'],
    ['the one with fewer promises', {}, site(two, { guests: [listed(100, 'pve1')] }), 'pve2'],
    [
      'the one with more promises to pack',
      { placement: { strategy: 'pack' } },
      site(two, { guests: [listed(100, 'pve2')] }),
      'pve2',
    ],
    [
      'not by the load of the moment',
      {},
      site([node('pve1', { memoryUsed: 9 * GiB }), node('pve2')]),
      'pve1',
    ],
    [
      'the one without unwelcome neighbours',
      { placement: { antiAffinity: [{ key: 'app', operator: 'Exists', mode: 'soft' }] } },
      site(two, { residents: [resident({ labels: { app: 'x' } }, 'pve1')] }),
      'pve2',
    ],
  ];
  it.each(ORDER)('takes %s', (_, machine, where, node) => {
    expect(place(machine, where)).toMatchObject({ node });
  });
});

describe('an image', () => {
  const local = [storage('local'), storage('nas', { shared: true })];
  const three = [node('pve1', { storages: local }), node('pve2', { storages: local })];
  const template = listed(9000, 'pve1', { template: true, power: 'stopped' });
  const onLocal = { scsi0: 'local:base-9000-disk-0,size=3G', ide2: 'local:vm-9000-cloudinit,media=cdrom' };
  const onNas = { scsi0: 'nas:base-9000-disk-0,size=3G' };
  const clone = { image: { template: 'debian' }, node: 'pve2' };

  it('is cloned beside it', () => {
    expect(
      place({ image: { template: 'debian' } }, site(three), { guests: [template], config: onLocal }),
    ).toMatchObject({
      node: 'pve1',
      moves: false,
    });
  });
  it('is cloned from the replica beside it', () => {
    const replica = listed(9001, 'pve2', { template: true });
    expect(place(clone, site(three), { guests: [template, replica] })).toMatchObject({
      source: { vmid: 9001 },
      moves: false,
    });
  });
  it('on shared storage is cloned to it', () => {
    expect(place(clone, site(three), { guests: [template], config: onNas })).toMatchObject({
      node: 'pve2',
      moves: false,
    });
  });
  it('on shared storage, with a root that is not, moves', () => {
    const root = [{ name: 'root', storage: 'local' }];
    expect(
      place({ ...clone, disks: root }, site(three), { guests: [template], config: onNas }),
    ).toMatchObject({ moves: true });
  });
  it('on local storage moves', () => {
    expect(place(clone, site(three), { guests: [template], config: onLocal })).toMatchObject({
      node: 'pve2',
      moves: true,
    });
  });

  const without = [node('pve1', { storages: local }), node('pve2', { storages: [local[1]!] })];
  const HELD: [string, Fields, PlacementFacts, Record<string, string>, string][] = [
    [
      'as a linked clone',
      { image: { template: 'debian', clone: 'linked' } },
      site(three),
      onLocal,
      'a linked clone cannot leave it',
    ],
    ['without its storage there', {}, site(without), onLocal, "storage 'local' is not on pve2"],
    [
      'with a CD of its node',
      {},
      site(three),
      { ...onLocal, ide2: 'local:iso/a.iso,media=cdrom' },
      'in its ide2',
    ],
    ['with a device of its node', {}, site(three), { ...onLocal, hostpci0: '0000:01:00.0' }, 'its hostpci0'],
    [
      'from a node that is off',
      {},
      site([node('pve1', { online: false }), three[1]!]),
      onLocal,
      'which is offline',
    ],
  ];
  it.each(HELD)('does not move %s', (_, fields, where, config, reason) => {
    const held = { ...clone, ...fields, placement: { nodes: ['pve2'] } };
    expect(reasons(held, where, { guests: [template], config })).toContain(reason);
  });
});

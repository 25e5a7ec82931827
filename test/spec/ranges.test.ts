import { GiB, MiB } from '../../spec';
import { clusterProblems, machineProblems, problemsIn, stateProblems } from './sample';
import { parseMachineClass, parseNode } from '../../spec';

type Put = (value: unknown) => readonly { path: string; allowed?: string }[];
interface Range {
  readonly field: string;
  readonly put: Put;
  /** The edges, which are allowed, and the values beyond them, which are not. */
  readonly allowed: readonly unknown[];
  readonly refused: readonly unknown[];
}

const inMachine =
  (build: (value: unknown) => Record<string, unknown>): Put =>
  value =>
    machineProblems(build(value));
const cpu = (field: string) => inMachine(value => ({ cpu: { [field]: value } }));
const disk = (field: string) =>
  inMachine(value => ({ disks: [{ name: 'data', size: '1G', [field]: value }] }));
const limit = (field: string) =>
  inMachine(v => ({ disks: [{ name: 'data', size: '1G', limits: { [field]: v } }] }));
const nic = (field: string) => inMachine(value => ({ networks: [{ name: 'lan', [field]: value }] }));
const top = (field: string) => inMachine(value => ({ [field]: value }));
const inCluster =
  (build: (value: unknown) => Record<string, unknown>): Put =>
  value =>
    clusterProblems(build(value));
const of = (count: number, entry: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => entry(i));
const letters = (count: number) => 'a'.repeat(count);

const ranges: Range[] = [
  {
    field: 'vmid',
    put: top('vmid'),
    allowed: [100, 999_999_999],
    refused: [99, 1_000_000_000, 0, -1, 100.5],
  },
  { field: 'cpu.cores', put: cpu('cores'), allowed: [1, 128], refused: [0, 129, -1, 1.5] },
  {
    field: 'cpu.sockets',
    put: inMachine(value => ({ cpu: { cores: 12, sockets: value } })),
    allowed: [1, 2, 3, 4],
    refused: [0, 5, 1.5],
  },
  {
    field: 'cpu.threadsPerCore',
    put: inMachine(value => ({ cpu: { cores: 12, threadsPerCore: value } })),
    allowed: [1, 2],
    refused: [0, 3],
  },
  { field: 'cpu.limit', put: cpu('limit'), allowed: [0, 0.5, 128], refused: [-0.1, 128.1] },
  { field: 'cpu.units', put: cpu('units'), allowed: [1, 10_000], refused: [0, 10_001] },
  {
    field: 'cpu.vcpus',
    put: inMachine(vcpus => ({ cpu: { cores: 128, sockets: 4, vcpus } })),
    allowed: [1, 512],
    refused: [0, 513],
  },
  { field: 'cpu.physBits', put: cpu('physBits'), allowed: [8, 64, 'host'], refused: [7, 65, 'guest'] },
  { field: 'cpu.guestPhysBits', put: cpu('guestPhysBits'), allowed: [32, 64], refused: [31, 65] },
  { field: 'cpu.level', put: cpu('level'), allowed: [0, 4_294_967_295], refused: [-1, 4_294_967_296] },
  {
    field: 'memory',
    put: top('memory'),
    allowed: [64 * MiB, '64Mi', '65Mi', '1T'],
    refused: [64 * MiB - 1, '63Mi', 64 * MiB + 1, '0', -1, '64'],
  },
  {
    field: 'balloon',
    put: inMachine(value => ({ memory: '1Gi', balloon: value })),
    allowed: [true, false, '1Mi', '1Gi'],
    refused: ['1025Mi', 0, MiB + 1],
  },
  { field: 'shares', put: top('shares'), allowed: [0, 50_000], refused: [-1, 50_001] },
  {
    field: 'disks[data].size',
    put: disk('size'),
    allowed: [MiB, '1Mi', '1T', 3 * GiB],
    refused: [0, MiB - 1, MiB + 1, '20GB'],
  },
  {
    field: 'disks[data].slot',
    put: disk('slot'),
    allowed: ['ide0', 'ide3', 'sata0', 'sata5', 'scsi0', 'scsi9', 'scsi30', 'virtio0', 'virtio9', 'virtio15'],
    refused: ['ide4', 'sata6', 'scsi31', 'virtio16', 'scsi', 'scsi01', 'net0', 'scsi-1'],
  },
  {
    field: 'disks[data].serial',
    put: disk('serial'),
    allowed: ['a', letters(20)],
    refused: ['', letters(21), 'a,b'],
  },
  {
    field: 'disks[data].limits.mbps',
    put: limit('mbps'),
    allowed: [0, 0.5, 1_000_000],
    refused: [-1, 1_000_001],
  },
  {
    field: 'disks[data].limits.iops',
    put: limit('iops'),
    allowed: [0, 10_000_000],
    refused: [-1, 1.5, 10_000_001],
  },
  { field: 'networks[lan].vlan', put: nic('vlan'), allowed: [1, 4094], refused: [0, 4095] },
  {
    field: 'networks[lan].trunks',
    put: inMachine(value => ({ networks: [{ name: 'lan', trunks: [value] }] })),
    allowed: [1, 4094, '1-4094', '7', '7-7'],
    refused: [0, 4095, '0-5', '5-4095', '9-8', 'x'],
  },
  { field: 'networks[lan].mtu', put: nic('mtu'), allowed: [1, 65_520], refused: [0, 65_521] },
  { field: 'networks[lan].queues', put: nic('queues'), allowed: [0, 64], refused: [-1, 65] },
  { field: 'networks[lan].rateLimit', put: nic('rateLimit'), allowed: [0, 0.1], refused: [-0.1] },
  {
    field: 'name',
    put: top('name'),
    allowed: ['a', letters(63), 'a.example.com'],
    refused: ['', letters(64), 'a_b', '-a', 'a-', 'a..b'],
  },
  {
    field: 'id',
    put: top('id'),
    allowed: ['a', letters(63), 'A1-b'],
    refused: ['', letters(64), '-a', 'a_b', 'a.b'],
  },
  {
    field: 'revertTo',
    put: top('revertTo'),
    allowed: ['ab', letters(40), 'ab#2'],
    refused: ['a', letters(41), 'current', '9a'],
  },
  {
    field: 'description',
    put: top('description'),
    allowed: ['', letters(6655), '😀'.repeat(6655)],
    refused: [letters(6656)],
  },
  {
    field: 'shutdownTimeout',
    put: top('shutdownTimeout'),
    allowed: ['1s', '24h'],
    refused: ['0s', '86401s', '1500ms', 60, '60'],
  },
  {
    field: 'startup.order',
    put: inMachine(v => ({ startup: { order: v } })),
    allowed: [0, 1_000_000],
    refused: [-1, 1_000_001],
  },
  {
    field: 'startup.up',
    put: inMachine(v => ({ startup: { up: v } })),
    allowed: ['0s', '24h'],
    refused: ['86401s', 5],
  },
  {
    field: 'display.memory',
    put: inMachine(v => ({ display: { memory: v } })),
    allowed: ['4Mi', '512Mi'],
    refused: ['3Mi', '513Mi'],
  },
  {
    field: 'rng.period',
    put: inMachine(v => ({ rng: { source: '/dev/urandom', period: v } })),
    allowed: [1],
    refused: [0],
  },
  {
    field: 'snapshotBeforeChange.keep',
    put: inMachine(v => ({ snapshotBeforeChange: { keep: v } })),
    allowed: [1, 100],
    refused: [0, 101],
  },
  {
    field: 'placement.maxVMsPerNode',
    put: inMachine(v => ({ placement: { maxVMsPerNode: v } })),
    allowed: [1],
    refused: [0],
  },
  {
    field: 'serial',
    put: v => machineProblems({ serial: of(Number(v), () => 'socket') }),
    allowed: [0, 4],
    refused: [5],
  },
  {
    field: 'usb',
    put: v => machineProblems({ usb: of(Number(v), () => ({ host: 'spice' })) }),
    allowed: [14],
    refused: [15],
  },
  {
    field: 'pci',
    put: v => machineProblems({ pci: of(Number(v), () => ({ mapping: 'gpu' })) }),
    allowed: [16],
    refused: [17],
  },
  {
    field: 'virtiofs',
    put: v => machineProblems({ virtiofs: of(Number(v), () => ({ mapping: 'share' })) }),
    allowed: [10],
    refused: [11],
  },
  {
    field: 'networks',
    put: v => machineProblems({ networks: of(Number(v), i => ({ name: `n${i}` })) }),
    allowed: [32],
    refused: [33],
  },
  ...(
    [
      ['ide', 4],
      ['sata', 6],
      ['scsi', 31],
      ['virtio', 16],
    ] as const
  ).map(([type, most]) => ({
    field: 'disks',
    put: (v: unknown) =>
      machineProblems({ disks: of(Number(v), i => ({ name: `d${i}`, size: '1G', type })) }),
    allowed: [most],
    refused: [most + 1],
  })),
  {
    field: 'cloudInit',
    put: v => machineProblems({ cloudInit: { userData: `#!${letters(Number(v) - 2)}` } }),
    allowed: [64 * 1024],
    refused: [64 * 1024 + 1],
  },
  {
    field: 'cloudInit.passwordVersion',
    put: inMachine(v => ({ cloudInit: { passwordFrom: { file: '/p' }, passwordVersion: v } })),
    allowed: [1],
    refused: [0],
  },
  {
    field: 'cluster.vmidRange.from',
    put: inCluster(v => ({ vmidRange: { from: v, to: 999_999_999 } })),
    allowed: [100, 999_999_999],
    refused: [99],
  },
  {
    field: 'cluster.vmidRange.to',
    put: inCluster(v => ({ vmidRange: { from: 100, to: v } })),
    allowed: [100, 999_999_999],
    refused: [1_000_000_000],
  },
  {
    field: 'cluster.limits.requests',
    put: inCluster(v => ({ limits: { requests: v } })),
    allowed: [1, 256],
    refused: [0, 257],
  },
  {
    field: 'cluster.taskTimeout',
    put: inCluster(v => ({ taskTimeout: v })),
    allowed: ['1s', '24h'],
    refused: ['999ms', '25h'],
  },
  {
    field: 'cluster.pollFloor',
    put: inCluster(v => ({ pollFloor: v, pollCeiling: '1m' })),
    allowed: ['1ms', '1m'],
    refused: ['0ms', '61s'],
  },
  {
    field: 'nodes[pve1].maxVMs',
    put: v => problemsIn(parseNode({ nodeName: 'pve1', maxVMs: v })),
    allowed: [0, 100_000],
    refused: [-1, 100_001],
  },
  {
    field: 'classes[small].cpus',
    put: v => problemsIn(parseMachineClass({ name: 'small', cpus: v })),
    allowed: [1, 128],
    refused: [0, 129],
  },
  { field: 'version', put: v => stateProblems({ version: v }), allowed: [1], refused: [0, 2, '1'] },
];

const show = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 30 ? `${text.slice(0, 20)}… (${text.length})` : text;
};

describe.each(ranges)('$field', ({ field, put, allowed, refused }) => {
  test.each(allowed.map(value => [show(value), value]))('takes %s', (_, value) => {
    expect(put(value)).toEqual([]);
  });

  test.each(refused.map(value => [show(value), value]))('refuses %s', (_, value) => {
    const problems = put(value);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path.replace(/^machines\[.*?\]\./, '')).toMatch(
      new RegExp(`^${field.replace(/[[\].]/g, String.raw`\$&`)}(?:$|\\[)`),
    );
    expect(problems[0]?.allowed).toBeTruthy();
  });
});

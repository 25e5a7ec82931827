import { absentOutputs, machineOutputs, unreadableOutputs } from '../../reconciler/outputs/machine';
import { pendingChanges } from '../../reconciler/outputs/pending';
import { guestAddresses } from '../../reconciler/outputs/guest-addresses';
import { yaml } from '../../reconciler/report/yaml';
import { MachineOutputs } from '../../spec';
import { UUID, guest, mark } from '../support/reconciler/observed';

const card = (name: string, mac: string, ...addresses: string[]) => ({
  name,
  'hardware-address': mac,
  'ip-addresses': addresses.map(address => ({
    'ip-address': address,
    'ip-address-type': address.includes(':') ? ('ipv6' as const) : ('ipv4' as const),
    prefix: 24,
  })),
});
const interfaces = [
  card('lo', '00:00:00:00:00:00', '127.0.0.1', '::1'),
  card('docker0', '02:42:00:00:00:01', '172.17.0.1'),
  card('eth0', 'bc:24:11:00:00:01', 'fe80::1', '2001:db8::10', '192.0.2.10', '169.254.1.1'),
];

test('addresses: of its own cards, no loopback, no link-local, IPv4 first', () => {
  const mac = ['BC:24:11:00:00:01'];
  expect(guestAddresses(interfaces, mac)).toEqual(['192.0.2.10', '2001:db8::10']);
  expect(guestAddresses(interfaces.slice(0, 2), mac)).toEqual([]);
  expect(guestAddresses(interfaces, mac, { cidr: '172.16.0.0/12' })).toEqual([]);
  expect(guestAddresses(interfaces, mac, { family: 'ipv6' })).toEqual(['2001:db8::10']);
  expect(guestAddresses(interfaces, mac, { interface: 'docker0' })).toEqual(['172.17.0.1']);
  expect(guestAddresses(interfaces, mac, { cidr: '192.0.2.0/24' })).toEqual(['192.0.2.10']);
});

test('addresses: in the order of the cards, and of a bond over one of them', () => {
  const bond = card('bond0', 'bc:24:11:00:00:02', '192.0.2.20');
  const macs = ['BC:24:11:00:00:02', 'BC:24:11:00:00:01'];
  expect(guestAddresses([...interfaces, bond], macs)).toEqual(['192.0.2.20', '192.0.2.10', '2001:db8::10']);
});

test('addresses: of a guest with other MAC addresses, all but those of bridges for others', () => {
  const made = ['virbr0', 'br-0123456789ab', 'veth12'].map(name =>
    card(name, '02:42:00:00:00:09', '10.9.0.1'),
  );
  expect(guestAddresses([...made, ...interfaces], ['BC:24:11:00:00:99'])).toEqual([
    '192.0.2.10',
    '2001:db8::10',
  ]);
});

test('addresses: of a bridge with a MAC address of its own, over a card that has none', () => {
  const bridged = [
    card('ens18', 'bc:24:11:00:00:01'),
    card('docker0', '02:42:00:00:00:01', '172.17.0.1'),
    card('wg0', '00:00:00:00:00:00', '10.8.0.2'),
    card('br0', '66:df:dc:00:00:01', '192.0.2.30'),
  ];
  expect(guestAddresses(bridged, ['BC:24:11:00:00:01'])).toEqual(['192.0.2.30']);
});

test('the outputs of a guest that runs, and waits for a restart', () => {
  const there = guest(
    {
      cores: '4',
      sockets: '2',
      net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
      net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr0',
      scsi0: 'local-lvm:vm-101-disk-0,size=8G',
      ide2: 'local-lvm:vm-101-cloudinit,media=cdrom',
    },
    {
      mark: mark({ networks: { lan: 'net0' }, disks: { root: 'scsi0' } }),
      pending: { cores: '8', cipassword: 'x' },
    },
  );
  const outputs = machineOutputs({
    guest: there,
    powerState: 'running',
    interfaces,
    snapshots: [
      { name: 'before', snaptime: 1, description: '' },
      { name: 'after', parent: 'before', description: 'works', vmstate: true, snaptime: 2 },
    ],
    endpoint: 'https://h:8006',
  });
  expect(MachineOutputs.parse(outputs)).toMatchObject({
    vmid: 101,
    node: 'pve1',
    uuid: UUID,
    phase: 'Running',
    cpu: { cores: 4, sockets: 2, threads: 8 },
    macAddresses: { lan: 'BC:24:11:00:00:01', net1: 'BC:24:11:00:00:02' },
    disks: { root: { slot: 'scsi0', volume: 'local-lvm:vm-101-disk-0', size: 8 * 2 ** 30 } },
    restartRequired: true,
    pendingChanges: [{ field: 'cpu.cores', from: '4', to: '8' }],
    snapshots: [
      { name: 'before' },
      { name: 'after', parent: 'before', description: 'works', includesMemory: true },
    ],
    consoleUrl: 'https://h:8006/?console=kvm&novnc=1&vmid=101&vmname=web&node=pve1',
  });
  expect(Object.keys(outputs.disks)).toEqual(['root']);
});

test('what waits for a restart, without a spec: by its fields and names', () => {
  const there = guest(
    {
      scsi0: 'local-lvm:vm-101-disk-0,size=8G',
      ide2: 'local-lvm:vm-101-cloudinit,media=cdrom',
      memory: '2048',
      net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr0',
      kvm: '1',
    },
    {
      mark: mark({ networks: { lan: 'net0' }, disks: { root: 'scsi0' } }),
      pending: {
        scsi0: 'local-lvm:vm-101-disk-0,size=8G,cache=writeback',
        scsi1: 'local-lvm:vm-101-disk-1,size=1G',
        ide2: 'none,media=cdrom',
        memory: '4096',
        net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
        net1: null,
        hostpci0: '01:00',
        kvm: '0',
        unused0: 'local-lvm:vm-101-disk-9',
        arch: 'x86_64',
        cipassword: 'x',
      },
    },
  );
  expect(pendingChanges(there).map(({ field, from, to }) => [field, from, to])).toEqual([
    ['disks[root]', 'local-lvm:vm-101-disk-0,size=8G', 'local-lvm:vm-101-disk-0,size=8G,cache=writeback'],
    ['disks[scsi1]', undefined, 'local-lvm:vm-101-disk-1,size=1G'],
    ['cdrom', 'local-lvm:vm-101-cloudinit,media=cdrom', 'none,media=cdrom'],
    ['memory', '2Gi', '4Gi'],
    ['networks[lan]', undefined, 'virtio=BC:24:11:00:00:01,bridge=vmbr0'],
    ['networks[net1]', 'virtio=BC:24:11:00:00:02,bridge=vmbr0', undefined],
    ['pci[0]', undefined, '01:00'],
    ['kvm', 'true', 'false'],
    ['unused0', undefined, 'local-lvm:vm-101-disk-9'],
    ['options.arch', undefined, 'x86_64'],
  ]);
});

test.each([
  ['no guest', absentOutputs(), 'Pending'],
  ['an error', absentOutputs('no place'), 'Error'],
])('%s', (_, outputs, phase) => {
  expect(MachineOutputs.parse(outputs).phase).toBe(phase);
  expect(outputs.conditions.find(({ type }) => type === 'Ready')?.status).toBe('False');
});

test('of a guest that cannot be read nothing is told but that it is there', () => {
  const { conditions } = unreadableOutputs({ vmid: 101, node: 'pve1' }, 'the node is down');
  expect(conditions.map(({ type, status }) => [type, status])).toEqual([
    ['Ready', 'False'],
    ['VMCreated', 'True'],
    ['ResourcesAllocated', 'Unknown'],
    ['NetworkConfigured', 'Unknown'],
  ]);
});

test('YAML reads as the JSON that it is made of', () => {
  expect(yaml({ a: 'x: "y"', list: [1, { b: true, c: [] }], none: {}, 'odd key': null })).toBe(
    'a: "x: \\"y\\""\nlist:\n  - 1\n  - b: true\n    c: []\nnone: {}\n"odd key": null',
  );
});

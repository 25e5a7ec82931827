import {
  parseDesiredState,
  parsePlacementPolicy,
  parsePreparedImage,
  parseSnapshot,
  type Parsed,
} from '../../spec';
import { clusterProblems, machine, machineProblems, problemsIn, stateProblems } from './sample';

interface Row {
  readonly reason: string;
  readonly said: Record<string, unknown>;
  /** The path after `machines[web].`, and a piece of the remedy. */
  readonly path: string;
  readonly remedy: string;
}

const data = (said: object) => ({ disks: [{ name: 'data', size: '1G', ...said }] });
const lan = (said: object) => ({ networks: [{ name: 'lan', ...said }] });
const noAgent = { agent: false };

const rows: Row[] = [
  {
    reason: 'cores not a multiple of threads',
    said: { cpu: { cores: 7, sockets: 2, threadsPerCore: 2 } },
    path: 'cpu.cores',
    remedy: 'Use 8',
  },
  {
    reason: 'more vcpus than cores × sockets',
    said: { cpu: { cores: 2, sockets: 2, vcpus: 5 } },
    path: 'cpu.vcpus',
    remedy: 'Lower it to 4',
  },
  {
    reason: 'more vcpus than there are',
    said: { cpu: { cores: 2, vcpus: 3 } },
    path: 'cpu.vcpus',
    remedy: 'Lower it to 2',
  },
  {
    reason: 'balloon above memory',
    said: { memory: '1Gi', balloon: '2Gi' },
    path: 'balloon',
    remedy: '"1Gi" or less',
  },
  {
    reason: 'memory hotplug without NUMA',
    said: { hotplug: ['memory'], cpu: { numa: false } },
    path: 'hotplug',
    remedy: 'cpu.numa',
  },
  {
    reason: 'memory that a start with memory hotplug refuses',
    said: { memory: '512Mi', hotplug: ['memory'], cpu: { numa: true } },
    path: 'memory',
    remedy: 'Set memory to "1Gi"',
  },
  {
    reason: 'memory between two modules of memory hotplug',
    said: { memory: '1152Mi', hotplug: ['memory'], cpu: { numa: true } },
    path: 'memory',
    remedy: '"1Gi" or "1536Mi"',
  },
  {
    reason: 'memory between two larger modules of memory hotplug',
    said: { memory: '17920Mi', hotplug: ['memory'], cpu: { numa: true } },
    path: 'memory',
    remedy: '"17Gi" or "18Gi"',
  },
  { reason: 'pin without node', said: { pin: true }, path: 'node', remedy: 'Name the node' },
  { reason: 'adopt without vmid', said: { adopt: true }, path: 'vmid', remedy: 'Give the vmid' },
  {
    reason: 'node outside placement.nodes',
    said: { node: 'pve1', placement: { nodes: ['pve2'] } },
    path: 'node',
    remedy: 'Name one of them',
  },
  {
    reason: 'protection with rebuildOn',
    said: { protection: true, rebuildOn: ['image'] },
    path: 'rebuildOn',
    remedy: 'Remove rebuildOn',
  },
  {
    reason: 'protection with a rebuild for another image',
    said: { protection: true, onImageChange: 'rebuild' },
    path: 'onImageChange',
    remedy: 'Set it to "keep"',
  },
  {
    reason: 'an image that rebuilds the machine, and that it stays on',
    said: { onImageChange: 'keep', rebuildOn: ['disks', 'image'] },
    path: 'onImageChange',
    remedy: 'Remove "image" from rebuildOn',
  },
  {
    reason: 'an image that rebuilds the machine, and that is refused',
    said: { onImageChange: 'refuse', rebuildOn: ['image'] },
    path: 'onImageChange',
    remedy: 'or set onImageChange to "rebuild"',
  },
  { reason: 'an id that is no name', said: { id: 'web-' }, path: 'name', remedy: 'Give a name' },
  { reason: "today's id among the former", said: { formerIds: ['web'] }, path: 'formerIds', remedy: 'past' },
  {
    reason: 'In without values',
    said: { placement: { antiAffinity: [{ key: 'tag', operator: 'In' }] } },
    path: 'placement.antiAffinity[0].values',
    remedy: 'Name at least one',
  },
  {
    reason: 'Exists with values',
    said: { placement: { antiAffinity: [{ key: 'tag', operator: 'Exists', values: ['a'] }] } },
    path: 'placement.antiAffinity[0].values',
    remedy: 'Remove it',
  },
  {
    reason: 'In without values, of affinity',
    said: { placement: { affinity: [{ key: 'tag', operator: 'In' }] } },
    path: 'placement.affinity[0].values',
    remedy: 'Name at least one',
  },
  {
    reason: 'the same kept together and apart',
    said: {
      placement: {
        affinity: [{ key: 'app', operator: 'In', values: ['db', 'web'] }],
        antiAffinity: [
          { key: 'app', operator: 'In', values: ['queue'] },
          { key: 'app', operator: 'NotIn', values: ['web'] },
        ],
      },
    },
    path: 'placement.antiAffinity[1]',
    remedy: 'Remove one of the two rules',
  },
  {
    reason: 'the same preferred and avoided',
    said: {
      placement: {
        affinity: [{ key: 'app', operator: 'Exists', mode: 'soft' }],
        antiAffinity: [{ key: 'app', operator: 'Exists' }],
      },
    },
    path: 'placement.antiAffinity[0]',
    remedy: 'Remove one of the two rules',
  },
  {
    reason: 'a mark in the description',
    said: { description: 'x\n<!-- pvr:{} -->' },
    path: 'description',
    remedy: 'Remove the line',
  },
  { reason: 'no image source', said: { image: {} }, path: 'image', remedy: 'Add one' },
  {
    reason: 'two image sources',
    said: { image: { template: 'a', iso: 'local:iso/a.iso' } },
    path: 'image',
    remedy: 'Keep one',
  },
  {
    reason: 'clone of an ISO',
    said: { image: { iso: 'local:iso/a.iso', clone: 'full' } },
    path: 'image.clone',
    remedy: 'template and machine',
  },
  {
    reason: 'url without checksum',
    said: { image: { url: 'https://example.com/a.img' }, disks: [{ name: 'root', storage: 'fast' }] },
    path: 'image.checksum',
    remedy: 'publisher',
  },
  {
    reason: 'a template that goes back to a snapshot',
    said: { asTemplate: true, revertTo: 'clean' },
    path: 'revertTo',
    remedy: 'asTemplate',
  },
  {
    reason: 'a template with a volume of another guest',
    said: { asTemplate: true, disks: [{ name: 'data', existingVolume: 'shared:vm-500-disk-0' }] },
    path: 'disks',
    remedy: 'asTemplate',
  },
  {
    reason: 'a template that runs',
    said: { asTemplate: true, power: 'running' },
    path: 'power',
    remedy: 'asTemplate',
  },
  {
    reason: 'an address without a disk for it',
    said: { image: { url: 'https://example.com/a.img', checksum: `md5:${'0'.repeat(32)}` } },
    path: 'disks',
    remedy: 'root',
  },
  {
    reason: 'an address whose disk has no storage',
    said: {
      image: { url: 'https://example.com/a.img', checksum: `md5:${'0'.repeat(32)}` },
      disks: [{ name: 'root', size: '8G' }],
    },
    path: 'disks[root].storage',
    remedy: 'storage',
  },
  {
    reason: 'an address of a packed file',
    said: {
      image: { url: 'https://example.com/a.qcow2.xz?x=1', checksum: `md5:${'0'.repeat(32)}` },
      disks: [{ name: 'root', storage: 'fast' }],
    },
    path: 'image.url',
    remedy: 'not packed',
  },
  {
    reason: 'checksum of a template',
    said: { image: { template: 'a', checksum: `sha256:${'a'.repeat(64)}` } },
    path: 'image.checksum',
    remedy: 'belongs to url',
  },
  {
    reason: 'image is the machine itself',
    said: { image: { machine: 'web' } },
    path: 'image.machine',
    remedy: 'another',
  },
  {
    reason: 'two disks of one name',
    said: {
      disks: [
        { name: 'a', size: '1G' },
        { name: 'a', size: '2G' },
      ],
    },
    path: 'disks[1].name',
    remedy: 'Change one',
  },
  {
    reason: 'two disks in one slot',
    said: {
      disks: [
        { name: 'a', size: '1G', slot: 'scsi1' },
        { name: 'b', size: '1G', slot: 'scsi1' },
      ],
    },
    path: 'disks[b].slot',
    remedy: 'Change one',
  },
  {
    reason: 'slot of another type',
    said: data({ type: 'virtio', slot: 'scsi1' }),
    path: 'disks[data].slot',
    remedy: 'remove type',
  },
  {
    reason: 'a new disk without size',
    said: { disks: [{ name: 'data' }] },
    path: 'disks[data].size',
    remedy: 'Add it',
  },
  {
    reason: 'a root without size from nothing',
    said: { disks: [{ name: 'root' }] },
    path: 'disks[root].size',
    remedy: 'Add it',
  },
  {
    reason: 'iothread on sata',
    said: data({ type: 'sata', iothread: true }),
    path: 'disks[data].iothread',
    remedy: 'scsi',
  },
  {
    reason: 'read only on ide',
    said: data({ slot: 'ide0', readOnly: true }),
    path: 'disks[data].readOnly',
    remedy: 'scsi',
  },
  {
    reason: 'ssd on virtio',
    said: data({ type: 'virtio', ssd: true }),
    path: 'disks[data].ssd',
    remedy: 'scsi',
  },
  {
    reason: 'native AIO with a cache',
    said: data({ aio: 'native', cache: 'writeback' }),
    path: 'disks[data].aio',
    remedy: 'io_uring',
  },
  {
    reason: 'a total beside its half',
    said: data({ limits: { mbps: 1, mbpsRead: 1 } }),
    path: 'disks[data].limits.mbpsRead',
    remedy: 'Keep mbps',
  },
  {
    reason: 'a burst half below its limit',
    said: data({ limits: { iopsWrite: 2, iopsMax: 0, iopsWriteMax: 1 } }),
    path: 'disks[data].limits.iopsWriteMax',
    remedy: 'Raise it to 2',
  },
  {
    reason: 'a burst of no limit',
    said: data({ limits: { mbpsMax: 20 } }),
    path: 'disks[data].limits.mbpsMax',
    remedy: 'Set mbps,',
  },
  {
    reason: 'a burst of a limit that is none',
    said: data({ limits: { mbpsRead: 0, mbpsReadMax: 20 } }),
    path: 'disks[data].limits.mbpsReadMax',
    remedy: 'Set mbpsRead,',
  },
  {
    reason: 'a burst of operations of no limit',
    said: data({ limits: { iopsWriteMax: 20 } }),
    path: 'disks[data].limits.iopsWriteMax',
    remedy: 'Set iopsWrite,',
  },
  {
    reason: 'a burst below its limit',
    said: data({ limits: { mbps: 20, mbpsMax: 10 } }),
    path: 'disks[data].limits.mbpsMax',
    remedy: 'Raise it to 20',
  },
  {
    reason: 'the length of a burst that is none',
    said: data({ limits: { iops: 5 }, options: { iops_max_length: 3 } }),
    path: 'disks[data].options.iops_max_length',
    remedy: 'Set limits.iopsMax',
  },
  {
    reason: 'a model that is not encoded',
    said: data({ type: 'ide', options: { model: 'a b' } }),
    path: 'disks[data].options.model',
    remedy: 'allowed',
  },
  {
    reason: 'an Intel vIOMMU on i440fx',
    said: { machine: { type: 'i440fx', viommu: 'intel' } },
    path: 'machine.viommu',
    remedy: 'q35',
  },
  {
    reason: 'an Intel vIOMMU on the default chipset',
    said: { machine: { viommu: 'intel' } },
    path: 'machine.viommu',
    remedy: 'q35',
  },
  {
    reason: 'a width that the Intel vIOMMU has not',
    said: { machine: { type: 'q35', viommu: 'intel', addressBits: 40 } },
    path: 'machine.addressBits',
    remedy: 'Use 39 or 48',
  },
  {
    reason: 'PCI Express on the default chipset',
    said: { pci: [{ mapping: 'gpu', pcie: true }] },
    path: 'pci[0].pcie',
    remedy: 'q35',
  },
  {
    reason: 'a clipboard on a serial display',
    said: { display: { type: 'serial0', clipboard: 'vnc' } },
    path: 'display.clipboard',
    remedy: 'display.type',
  },
  {
    reason: 'more vcpus than the default cores',
    said: { cpu: { vcpus: 2 } },
    path: 'cpu.vcpus',
    remedy: 'Lower it to 1',
  },
  {
    reason: 'a balloon above the default memory',
    said: { balloon: '1Gi' },
    path: 'balloon',
    remedy: '512Mi',
  },
  {
    reason: 'huge pages without NUMA',
    said: { hugepages: '2' },
    path: 'hugepages',
    remedy: 'Set cpu.numa',
  },
  {
    reason: 'memory hotplug with NUMA by default',
    said: { hotplug: ['memory'] },
    path: 'hotplug',
    remedy: 'Set cpu.numa',
  },
  {
    reason: 'an option of two lines',
    said: { options: { args: 'a\nb' } },
    path: 'options.args',
    remedy: 'allowed',
  },
  { reason: 'an empty option', said: { options: { args: '' } }, path: 'options.args', remedy: 'allowed' },
  {
    reason: 'storage other than the volume',
    said: data({ storage: 'local', existingVolume: 'nfs:vm-1-disk-0' }),
    path: 'disks[data].storage',
    remedy: 'Remove storage',
  },
  {
    reason: 'a drive option with a field',
    said: data({ options: { ro: true } }),
    path: 'disks[data].options.ro',
    remedy: 'Use "readOnly"',
  },
  {
    reason: 'a drive option of another bus',
    said: data({ type: 'virtio', options: { wwn: '0x5000c500a1b2c3d4' } }),
    path: 'disks[data].options.wwn',
    remedy: 'only ide, sata, scsi',
  },
  {
    reason: 'two cards of one name',
    said: { networks: [{ name: 'lan' }, { name: 'lan' }] },
    path: 'networks[1].name',
    remedy: 'Change one',
  },
  {
    reason: 'two cards of one MAC',
    said: {
      networks: [
        { name: 'lan', macAddress: 'bc:24:11:00:00:01' },
        { name: 'dmz', macAddress: 'BC-24-11-00-00-01' },
      ],
    },
    path: 'networks[dmz].macAddress',
    remedy: 'Change one',
  },
  {
    reason: 'two cards of one address',
    said: {
      networks: [
        { name: 'lan', ipv4: { address: '10.0.0.5/24' } },
        { name: 'dmz', staticIP: { address: '10.0.0.5/16' } },
      ],
    },
    path: 'networks[dmz].staticIP.address',
    remedy: 'of its own',
  },
  {
    reason: 'vlan among trunks',
    said: lan({ vlan: 10, trunks: ['5-20'] }),
    path: 'networks[lan].vlan',
    remedy: 'Take it out',
  },
  {
    reason: 'mtu on e1000',
    said: lan({ model: 'e1000', mtu: 9000 }),
    path: 'networks[lan].mtu',
    remedy: 'virtio',
  },
  {
    reason: 'queues on e1000',
    said: lan({ model: 'e1000', queues: 2 }),
    path: 'networks[lan].queues',
    remedy: 'virtio',
  },
  {
    reason: 'gateway outside its subnet',
    said: lan({ staticIP: { address: '10.0.0.5/24', gateway: '10.0.1.1' } }),
    path: 'networks[lan].staticIP.gateway',
    remedy: 'in the subnet',
  },
  {
    reason: 'gateway of the other family',
    said: lan({ staticIP: { address: '10.0.0.5/24', gateway: '2001:db8::1' } }),
    path: 'networks[lan].staticIP.gateway',
    remedy: 'in the subnet',
  },
  {
    reason: 'gateway is the machine',
    said: lan({ ipv6: { address: '2001:db8::5/64', gateway: '2001:db8:0::5' } }),
    path: 'networks[lan].ipv6.gateway',
    remedy: 'router',
  },
  {
    reason: "address is the subnet's own",
    said: lan({ ipv4: { address: '10.0.0.0/24' } }),
    path: 'networks[lan].ipv4.address',
    remedy: 'another address',
  },
  {
    reason: 'address is the broadcast',
    said: lan({ ipv4: { address: '10.0.0.255/24' } }),
    path: 'networks[lan].ipv4.address',
    remedy: 'another address',
  },
  {
    reason: 'one family said twice',
    said: lan({ staticIP: { address: '10.0.0.5/24' }, ipv4: 'dhcp' }),
    path: 'networks[lan].ipv4',
    remedy: 'Remove staticIP or ipv4',
  },
  { reason: 'secure boot on seabios', said: { secureBoot: true }, path: 'secureBoot', remedy: 'uefi' },
  { reason: 'EFI disk on seabios', said: { bios: 'seabios', efiDisk: {} }, path: 'efiDisk', remedy: 'uefi' },
  {
    reason: 'PCI Express on i440fx',
    said: { machine: 'i440fx', pci: [{ mapping: 'gpu', pcie: true }] },
    path: 'pci[0].pcie',
    remedy: 'q35',
  },
  { reason: 'a PCI device that names none', said: { pci: [{}] }, path: 'pci[0]', remedy: 'Give one' },
  {
    reason: 'a USB device said twice',
    said: { usb: [{ mapping: 'key', host: '1-2' }] },
    path: 'usb[0]',
    remedy: 'Give one',
  },
  {
    reason: 'a boot device that is not there',
    said: { ...data({}), bootOrder: ['dta'] },
    path: 'bootOrder[0]',
    remedy: 'scsi0',
  },
  {
    reason: 'a boot device named twice',
    said: { bootOrder: ['disk', 'disk'] },
    path: 'bootOrder[1]',
    remedy: 'Remove one',
  },
  {
    reason: 'too much SMBIOS text',
    said: { smbios: { product: 'x'.repeat(200), family: 'x'.repeat(200) } },
    path: 'smbios',
    remedy: 'Shorten',
  },
  {
    reason: 'waiting for an agent that is off',
    said: { ...noAgent, waitFor: 'agent' },
    path: 'waitFor',
    remedy: 'agent to true',
  },
  {
    reason: 'cloud-init completion without agent',
    said: { ...noAgent, cloudInit: { waitForCompletion: true } },
    path: 'cloudInit.waitForCompletion',
    remedy: 'agent to true',
  },
  {
    reason: 'cloud-init completion of a machine that is made without agent',
    said: { image: { blank: true }, ...data({}), cloudInit: { waitForCompletion: true } },
    path: 'cloudInit.waitForCompletion',
    remedy: 'agent to true',
  },
  {
    reason: 'cloud-init completion where nothing can start',
    said: { image: { blank: true }, agent: true, cloudInit: { waitForCompletion: true } },
    path: 'cloudInit.waitForCompletion',
    remedy: 'a template or an image by address',
  },
  {
    reason: 'passwordVersion alone',
    said: { cloudInit: { passwordVersion: 2 } },
    path: 'cloudInit.passwordFrom',
    remedy: 'read from',
  },
  {
    reason: 'data beside its reference',
    said: { cloudInit: { userData: '#!/bin/sh', userDataFrom: { file: '/u' } } },
    path: 'cloudInit.userData',
    remedy: 'Keep userData or',
  },
  {
    reason: 'a reference to two places',
    said: { cloudInit: { passwordFrom: { file: '/p', environment: 'P' } } },
    path: 'cloudInit.passwordFrom',
    remedy: 'allowed',
  },
  {
    reason: 'clear and set',
    said: { description: 'x', clear: ['description'] },
    path: 'clear',
    remedy: 'not both',
  },
  {
    reason: 'clear and set, deeper',
    said: { ...lan({ vlan: 5 }), clear: ['networks[lan].vlan'] },
    path: 'clear',
    remedy: 'not both',
  },
  {
    reason: 'clear of a card that is not there',
    said: { ...lan({}), clear: ['networks[dmz].vlan'] },
    path: 'clear',
    remedy: 'Name one',
  },
  {
    reason: 'clear of the EFI disk of UEFI',
    said: { bios: 'uefi', clear: ['efiDisk'] },
    path: 'clear',
    remedy: 'Say bios "seabios", or do not clear it',
  },
  { reason: 'clear of what cannot go', said: { clear: ['vmid'] }, path: 'clear', remedy: 'Remove it' },
  {
    reason: 'clear of an option that is a field',
    said: { clear: ['options.cores'] },
    path: 'clear',
    remedy: 'Remove it',
  },
  {
    reason: 'clear of an option that is set',
    said: { options: { args: '-x' }, clear: ['options.args'] },
    path: 'clear',
    remedy: 'not both',
  },
  {
    reason: 'clear, mistyped',
    said: { clear: ['descripton'] },
    path: 'clear',
    remedy: 'Did you mean "description"?',
  },
  {
    reason: 'clear of a mistyped field of a card',
    said: { ...lan({}), clear: ['networks[lan].vln'] },
    path: 'clear',
    remedy: 'Did you mean "networks[lan].vlan"?',
  },
  {
    reason: 'an option with a field',
    said: { options: { cores: 2 } },
    path: 'options.cores',
    remedy: 'Use "cpu.cores"',
  },
  {
    reason: 'a numbered option with a field',
    said: { options: { net0: 'virtio' } },
    path: 'options.net0',
    remedy: 'Use "networks"',
  },
  {
    reason: 'an option that PVE does not know',
    said: { options: { agrs: '-x' } },
    path: 'options.agrs',
    remedy: 'Did you mean "args"?',
  },
  {
    reason: 'an option that is ours',
    said: { options: { digest: 'x' } },
    path: 'options.digest',
    remedy: 'Remove it',
  },
  {
    reason: 'an option past its last index',
    said: { options: { numa8: 'cpus=0' } },
    path: 'options.numa8',
    remedy: 'up to 7',
  },
  {
    reason: 'an option of the wrong kind',
    said: { options: { migrate_speed: 1.5 } },
    path: 'options.migrate_speed',
    remedy: 'allowed',
  },
  {
    reason: 'an option outside its choices',
    said: { options: { citype: 'iso' } },
    path: 'options.citype',
    remedy: 'allowed',
  },
  {
    reason: 'an option named like a method',
    said: { options: { constructor: 1 } },
    path: 'options.constructor',
    remedy: 'Remove it',
  },
];

test.each(rows)('refuses $reason', ({ said, path, remedy }) => {
  const problems = machineProblems(said);
  const id = String(said.id ?? 'web');
  expect(problems.map(problem => problem.path)).toEqual([`machines[${id}].${path}`]);
  expect(problems[0]?.remedy).toContain(remedy);
});

const fine: { reason: string; said: Record<string, unknown> }[] = [
  { reason: 'cores that divide', said: { cpu: { cores: 2, sockets: 4, threadsPerCore: 2 } } },
  { reason: 'fewer cores than sockets: they are counted for each', said: { cpu: { cores: 1, sockets: 2 } } },
  {
    reason: 'a root that the template brings',
    said: { image: { template: 'ubuntu' }, disks: [{ name: 'root' }] },
  },
  {
    reason: 'a boot disk known by its slot',
    said: { image: { template: 'ubuntu' }, disks: [{ name: 'os', slot: 'scsi0' }] },
  },
  {
    reason: 'disks without sizes on adoption',
    said: { image: undefined, adopt: true, vmid: 100, disks: [{ name: 'data' }] },
  },
  {
    reason: 'two addresses of two families',
    said: lan({ staticIP: { address: '10.0.0.5/24' }, ipv6: { address: '2001:db8::5/64' } }),
  },
  {
    reason: 'a point-to-point address',
    said: lan({ ipv4: { address: '10.0.0.0/31', gateway: '10.0.0.1' } }),
  },
  {
    reason: 'UEFI with its parts',
    said: { bios: 'uefi', efiDisk: { type: '4m' }, secureBoot: true, tpm: {} },
  },
  {
    reason: 'a boot order of all kinds',
    said: { ...data({}), ...lan({}), bootOrder: ['data', 'lan', 'cdrom', 'scsi3', 'net1'] },
  },
  {
    reason: 'options without a field',
    said: { options: { args: '-x', numa0: 'cpus=0-1,memory=512', citype: 'nocloud', autostart: true } },
  },
  {
    reason: 'drive options without a field',
    said: data({ options: { wwn: '0x5000c500a1b2c3d4', rerror: 'stop' } }),
  },
  {
    reason: 'clear of what is not set',
    said: {
      ...lan({}),
      clear: ['description', 'cpu.limit', 'networks[lan].vlan', 'options.spice_enhancements'],
    },
  },
];

test.each(fine)('takes $reason', ({ said }) => expect(machineProblems(said)).toEqual([]));

describe('between machines', () => {
  const two = (a: object, b: object) =>
    stateProblems({ machines: [machine({ id: 'a', ...a }), machine({ id: 'b', ...b })] }).map(
      ({ path, reason }) => `${path} ${reason}`,
    );
  const at = (address: string) => ({ networks: [{ name: 'lan', ipv4: { address } }] });

  test('one id', () =>
    expect(stateProblems({ machines: [machine(), machine()] }).map(({ path }) => path)).toEqual([
      'machines[1].id',
    ]));
  test('one vmid', () =>
    expect(two({ vmid: 100 }, { vmid: 100 })).toEqual(['machines[b].vmid is used by machine "a" too']));
  test('a former id that is in use', () =>
    expect(two({}, { formerIds: ['a'] })).toEqual(['machines[b].formerIds is used by machine "a" too']));
  test('one address, whatever the prefix', () =>
    expect(two(at('10.0.0.5/24'), at('10.0.0.5/16'))).toEqual([
      'machines[b].networks[lan].ipv4.address is used by machine "a" too',
    ]));
  test('one address in two spellings', () =>
    expect(
      two(
        { networks: [{ name: 'lan', ipv6: { address: '2001:db8::5/64' } }] },
        { networks: [{ name: 'lan', staticIP: { address: '2001:DB8:0:0::5/64' } }] },
      ),
    ).toEqual(['machines[b].networks[lan].staticIP.address is used by machine "a" too']));
  test('one MAC address', () => {
    const mac = { networks: [{ name: 'lan', macAddress: 'bc:24:11:00:00:01' }] };
    expect(two(mac, mac)).toEqual(['machines[b].networks[lan].macAddress is used by machine "a" too']);
  });
  test('a rule of one that keeps together, and of the other that keeps apart', () => {
    const labels = { tier: 'x' };
    const together = (mode: string) => ({ affinity: [{ key: 'tier', operator: 'Exists', mode }] });
    const apart = { labels, placement: { antiAffinity: [{ key: 'app', operator: 'Exists' }] } };
    const db = (mode: string) => ({ labels: { app: 'db' }, placement: together(mode) });
    expect(two(db('hard'), apart)).toEqual([
      'machines[b].placement.antiAffinity keeps it apart from machine "a", with which affinity keeps it together',
    ]);
    expect(two(db('soft'), apart)).toEqual([]);
    expect(two({ ...db('hard'), labels: { ...labels, app: 'db' } }, { labels })).toEqual([]);
  });
  test('an image that is no machine here', () =>
    expect(two({ image: { machine: 'c' } }, {})).toEqual([
      'machines[a].image.machine is no machine of this document',
    ]));
  test('clones in a circle', () =>
    expect(two({ image: { machine: 'b' } }, { image: { machine: 'a' } })).toEqual([
      'machines[a].image.machine makes a circle: a is cloned from b is cloned from a',
    ]));
  test('different addresses are fine', () => expect(two(at('10.0.0.5/24'), at('10.0.0.6/24'))).toEqual([]));
});

describe('between a machine and its cluster', () => {
  const paths = (cluster: object, said: object) =>
    stateProblems({
      cluster: { name: 'lab', ...cluster },
      machines: [machine(said as Record<string, unknown>)],
    }).map(({ path }) => path);

  test.each<[string, object, object, string]>([
    ['a node', { nodes: ['pve1'] }, { node: 'pve2' }, 'node'],
    [
      'a placement node',
      { nodes: ['pve1'] },
      { placement: { nodes: ['pve1', 'pve2'] } },
      'placement.nodes[1]',
    ],
    ['a storage of a disk', { storages: ['nfs'] }, data({ storage: 'local' }), 'disks[data].storage'],
    [
      'the storage of a volume',
      { storages: ['nfs'] },
      data({ existingVolume: 'local:vm-1-disk-0' }),
      'disks[data].existingVolume',
    ],
    ['the storage of an ISO', { storages: ['nfs'] }, { image: { iso: 'local:iso/a.iso' } }, 'image.iso'],
    ['the storage of the CD-ROM', { storages: ['nfs'] }, { cdrom: 'local:iso/a.iso' }, 'cdrom'],
    ['the storage of the TPM', { storages: ['nfs'] }, { tpm: { storage: 'local' } }, 'tpm.storage'],
    ['a bridge', { networks: ['vmbr0'] }, lan({ bridge: 'vmbr1' }), 'networks[lan].bridge'],
    ['a mapped bridge', { networks: ['vmbr0'] }, { networks: [{ name: 'dmz' }] }, 'networks[dmz].name'],
    ['a name that maps to no bridge', {}, { networks: [{ name: 'lann' }] }, 'networks[lann].bridge'],
    ['another cluster', {}, { cluster: 'prod' }, 'cluster'],
  ])('refuses %s', (_, cluster, said, path) =>
    expect(paths(cluster, said)).toEqual([`machines[web].${path}`]),
  );

  test.each<[string, object, object]>([
    [
      'what is listed',
      { nodes: ['pve1'], storages: ['nfs'], networks: ['vmbr0'] },
      { node: 'pve1', ...lan({}) },
    ],
    ['a name that the cluster maps', { networkMap: { lann: 'vmbr7' } }, { networks: [{ name: 'lann' }] }],
    ['a bridge named as such', {}, { networks: [{ name: 'vmbr9' }] }],
  ])('takes %s', (_, cluster, said) => expect(paths(cluster, said)).toEqual([]));
});

describe('in a document', () => {
  const paths = (said: Record<string, unknown>) => stateProblems(said).map(({ path }) => path);

  test('a node outside the list', () =>
    expect(paths({ cluster: { name: 'lab', nodes: ['pve1'] }, nodes: [{ nodeName: 'pve2' }] })).toEqual([
      'nodes[pve2].nodeName',
    ]));
  test('a node described twice', () =>
    expect(paths({ nodes: [{ nodeName: 'pve1' }, { nodeName: 'pve1' }] })).toEqual(['nodes[1].nodeName']));
  test('a node of another cluster', () =>
    expect(paths({ nodes: [{ nodeName: 'pve1', cluster: 'prod' }] })).toEqual(['nodes[pve1].cluster']));
  test('a snapshot of a template', () =>
    expect(
      paths({
        machines: [{ id: 'base', asTemplate: true }],
        snapshots: [{ machine: 'base', name: 'before' }],
      }),
    ).toEqual(['snapshots[before].machine']));

  test('a snapshot of no machine', () =>
    expect(paths({ snapshots: [{ machine: 'wbe', name: 'before' }] })).toEqual([
      'snapshots[before].machine',
    ]));
  test('a snapshot taken twice', () =>
    expect(
      paths({
        snapshots: [
          { machine: 'web', name: 'before' },
          { machine: 'web', name: 'before' },
        ],
      }),
    ).toEqual(['snapshots[1].name']));
  test('an id range that ends before it begins', () =>
    expect(clusterProblems({ vmidRange: { from: 200, to: 100 } }).map(({ path }) => path)).toEqual([
      'cluster.vmidRange',
    ]));
  test('endpoint beside endpoints', () =>
    expect(
      clusterProblems({ endpoint: 'https://a', endpoints: ['https://b'] }).map(({ path }) => path),
    ).toEqual(['cluster.endpoints']));
  test('a floor above the ceiling', () =>
    expect(clusterProblems({ pollFloor: '3s' }).map(({ path }) => path)).toEqual(['cluster.pollFloor']));
  test('something that is no document', () =>
    expect(problemsIn(parseDesiredState('{}')).map(({ path, allowed }) => [path, allowed])).toEqual([
      ['', 'an object'],
    ]));
});

describe('in documents of their own', () => {
  test.each<[string, () => Parsed<unknown>, string[]]>([
    ['an image without a source', () => parsePreparedImage({ name: 'ubuntu' }), ['images[ubuntu].template']],
    [
      'an image with two sources and no checksum',
      () => parsePreparedImage({ name: 'ubuntu', template: 'u', url: 'https://example.com/a.img' }),
      ['images[ubuntu].template', 'images[ubuntu].checksum'],
    ],
    ['an image that is a template', () => parsePreparedImage({ name: 'ubuntu', template: 9000 }), []],
    [
      'a policy that compares with nothing',
      () => parsePlacementPolicy({ name: 'apart', antiAffinity: [{ key: 'tag', operator: 'In' }] }),
      ['policies[apart].antiAffinity[0].values'],
    ],
    [
      'a policy that keeps the same together and apart',
      () =>
        parsePlacementPolicy({
          name: 'both',
          affinity: [{ key: 'app', operator: 'Exists' }],
          antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }],
        }),
      ['policies[both].antiAffinity[0]'],
    ],
    [
      'a policy that prefers what is no case of what it keeps apart',
      () =>
        parsePlacementPolicy({
          name: 'near',
          affinity: [{ key: 'app', operator: 'Exists', mode: 'soft' }],
          antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }],
        }),
      [],
    ],
    ['a policy', () => parsePlacementPolicy({ name: 'apart', maxVMsPerNode: 10, minFreeMemory: '4Gi' }), []],
    ['a snapshot', () => parseSnapshot({ machine: 'web', name: 'before', includeMemory: true }), []],
    [
      'a snapshot with a reserved name',
      () => parseSnapshot({ machine: 'web', name: 'current' }),
      ['snapshots[current].name'],
    ],
  ])('%s', (_, parse, paths) => expect(problemsIn(parse()).map(({ path }) => path)).toEqual(paths));
});

test.each([
  ['slot', { size: '1G', slot: 'scsi1' }],
  ['existingVolume', { existingVolume: 'local-lvm:vm-1-disk-0' }],
])('two disks of one %s: the other is named', (field, same) => {
  const disks = ['a', 'b'].map(name => ({ name, ...same }));
  const [problem] = machineProblems({ disks });
  expect(problem?.path).toBe(`machines[web].disks[b].${field}`);
  expect(problem?.reason).toMatch(/^is used twice, also by disks\[a\]: /);
});

describe('images that are made ready', () => {
  const built = { name: 'debian', url: 'https://example.com/a.qcow2', checksum: `sha256:${'a'.repeat(64)}` };
  const image = { ...built, diskStorage: 'shared' };
  const web = { id: 'web', image: { machine: 'debian' } };
  test.each<[string, Record<string, unknown>, string[]]>([
    ['two machines of one', { images: [image] }, []],
    ['no storage for the disk', { images: [built] }, ['images[debian].diskStorage']],
    ['the name of a machine', { images: [{ ...image, name: 'web' }] }, ['images[web].name']],
    ['one content twice', { images: [image, { ...image, name: 'other' }] }, ['images[other].checksum']],
    [
      'one vmid on two nodes',
      { images: [{ ...image, vmid: 900, nodes: ['a', 'b'] }] },
      ['images[debian].vmid'],
    ],
    [
      'the name of a template twice',
      { images: [{ ...image, templateName: 'web' }] },
      ['images[debian].name'],
    ],
    ['a long name', { images: [{ ...image, name: 'd'.repeat(53) }] }, [`images[${'d'.repeat(53)}].name`]],
    [
      'a template and nodes',
      { images: [{ name: 'debian', template: 9000, nodes: ['a'] }] },
      ['images[debian].nodes'],
    ],
    [
      'a node that is not allowed',
      { cluster: { name: 'lab', nodes: ['a'] }, images: [{ ...image, nodes: ['b'] }] },
      ['images[debian].nodes[0]'],
    ],
    [
      'a storage that is not allowed',
      { cluster: { name: 'lab', storages: ['local'] }, images: [image] },
      ['images[debian].diskStorage'],
    ],
    [
      'replicas beside an image',
      { images: [image], machines: [{ ...web, image: { machine: 'debian', replicas: ['a'] } }] },
      ['machines[web].image.replicas'],
    ],
    [
      'a replica that nobody makes',
      { machines: [{ ...web, image: { machine: 'base', replicas: ['a'] } }] },
      ['machines[web].image.machine'],
    ],
    [
      'replicas of no machine',
      { machines: [{ ...web, image: { blank: true, replicas: ['a'] } }] },
      ['machines[web].image.replicas'],
    ],
  ])('%s', (_, said, paths) => {
    const machines = [{ id: 'web', image: { blank: true } }];
    expect(stateProblems({ machines, ...said }).map(({ path }) => path)).toEqual(paths);
  });
});

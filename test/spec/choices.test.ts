import { clusterProblems, machineProblems } from './sample';

interface Choice {
  readonly field: string;
  readonly put: (value: unknown) => readonly { path: string }[];
  readonly words: readonly unknown[];
}

const disk = (field: string) => (value: unknown) =>
  machineProblems({ disks: [{ name: 'data', size: '1G', [field]: value }] });
const nic = (field: string) => (value: unknown) =>
  machineProblems({ networks: [{ name: 'lan', [field]: value }] });
const top = (field: string) => (value: unknown) => machineProblems({ [field]: value });
const inside = (outer: string, field: string, rest: object) => (value: unknown) =>
  machineProblems({ [outer]: { ...rest, [field]: value } });
const booleans = (fields: string[]) =>
  fields.map(field => ({ field, put: top(field), words: [true, false] }));

const choices: Choice[] = [
  { field: 'disks.type', put: disk('type'), words: ['ide', 'sata', 'scsi', 'virtio'] },
  { field: 'disks.format', put: disk('format'), words: ['raw', 'qcow2', 'vmdk'] },
  {
    field: 'disks.cache',
    put: disk('cache'),
    words: ['none', 'writethrough', 'writeback', 'directsync', 'unsafe'],
  },
  { field: 'disks.aio', put: disk('aio'), words: ['native', 'threads', 'io_uring'] },
  { field: 'disks.onRemove', put: disk('onRemove'), words: ['keep', 'delete'] },
  { field: 'disks.allocation', put: disk('allocation'), words: ['thin', 'thick'] },
  { field: 'networks.model', put: nic('model'), words: ['virtio', 'e1000', 'e1000e', 'rtl8139', 'vmxnet3'] },
  { field: 'networks.ipv4', put: nic('ipv4'), words: ['dhcp'] },
  { field: 'networks.ipv6', put: nic('ipv6'), words: ['dhcp', 'auto'] },
  { field: 'power', put: top('power'), words: ['running', 'stopped', 'unmanaged'] },
  { field: 'restart', put: top('restart'), words: ['never', 'whenNeeded'] },
  { field: 'mode', put: top('mode'), words: ['reconcile', 'observe', 'paused'] },
  { field: 'waitFor', put: top('waitFor'), words: ['nothing', 'agent', 'address'] },
  { field: 'bios', put: top('bios'), words: ['seabios', 'uefi', 'ovmf'] },
  {
    field: 'hugepages',
    put: hugepages => machineProblems({ hugepages, cpu: { numa: true } }),
    words: ['any', '2', '1024'],
  },
  {
    field: 'osType',
    put: top('osType'),
    words: 'linux windows solaris other wxp w2k w2k3 w2k8 wvista win7 win8 win10 win11 l24 l26'.split(' '),
  },
  {
    field: 'scsiController',
    put: top('scsiController'),
    words: ['lsi', 'lsi53c810', 'virtio-scsi-pci', 'virtio-scsi-single', 'megasas', 'pvscsi'],
  },
  { field: 'tpm.version', put: inside('tpm', 'version', {}), words: ['v1.2', 'v2.0'] },
  {
    field: 'efiDisk.type',
    put: value => machineProblems({ bios: 'uefi', efiDisk: { type: value } }),
    words: ['2m', '4m'],
  },
  { field: 'agent.type', put: inside('agent', 'type', {}), words: ['virtio', 'isa'] },
  { field: 'watchdog.model', put: inside('watchdog', 'model', {}), words: ['i6300esb', 'ib700'] },
  {
    field: 'watchdog.action',
    put: inside('watchdog', 'action', {}),
    words: ['reset', 'shutdown', 'poweroff', 'pause', 'debug', 'none'],
  },
  {
    field: 'audio.device',
    put: inside('audio', 'device', {}),
    words: ['ich9-intel-hda', 'intel-hda', 'AC97'],
  },
  {
    field: 'rng.source',
    put: inside('rng', 'source', {}),
    words: ['/dev/urandom', '/dev/random', '/dev/hwrng'],
  },
  { field: 'placement.strategy', put: inside('placement', 'strategy', {}), words: ['spread', 'pack'] },
  ...['affinity', 'antiAffinity'].flatMap(side => [
    {
      field: `placement.${side}.operator`,
      put: (value: unknown) =>
        machineProblems({
          placement: {
            [side]: [{ key: 'tag', operator: value, ...(value !== 'Exists' && { values: ['db'] }) }],
          },
        }),
      words: ['In', 'NotIn', 'Exists'],
    },
    {
      field: `placement.${side}.mode`,
      put: (value: unknown) =>
        machineProblems({ placement: { [side]: [{ key: 'tag', operator: 'Exists', mode: value }] } }),
      words: ['hard', 'soft'],
    },
  ]),
  {
    field: 'image.clone',
    put: value => machineProblems({ image: { template: 'ubuntu', clone: value } }),
    words: ['linked', 'full'],
  },
  {
    field: 'rebuildOn',
    put: value => machineProblems({ rebuildOn: [value] }),
    words: 'bios cloudInit disks efiDisk image machine osType secureBoot tpm vmid'.split(' '),
  },
  {
    field: 'onImageChange',
    put: value => machineProblems({ onImageChange: value }),
    words: ['refuse', 'keep', 'rebuild'],
  },
  {
    field: 'hotplug',
    put: value => machineProblems({ hotplug: [value], memory: '1Gi', cpu: { numa: true } }),
    words: ['network', 'disk', 'usb', 'memory', 'cpu', 'cloudinit'],
  },
  {
    field: 'machine',
    put: top('machine'),
    words: [
      'q35',
      'i440fx',
      'pc',
      'pc-q35-10.1',
      'pc-q35-10.1+pve0',
      'pc-i440fx-9.2',
      'q35-9.2',
      { type: 'q35' },
    ],
  },
  { field: 'cdrom', put: top('cdrom'), words: ['none', 'cdrom', 'local:iso/debian.iso'] },
  ...booleans([
    'pin',
    'adopt',
    'protection',
    'forceStop',
    'onBoot',
    'kvm',
    'acpi',
    'localtime',
    'tablet',
    'agent',
    'secureBoot',
  ]).filter(({ field }) => !['pin', 'adopt', 'secureBoot'].includes(field)),
  {
    field: 'insecureSkipTlsVerify',
    put: value => clusterProblems({ insecureSkipTlsVerify: value }),
    words: [true, false],
  },
];

describe.each(choices)('$field', ({ field, put, words }) => {
  test.each(words.map(word => [JSON.stringify(word), word]))('takes %s', (_, word) => {
    expect(put(word)).toEqual([]);
  });

  test.each(['nonsense', 42, 'true', ''])('refuses %p', word => {
    const paths = put(word).map(({ path }) => path.replace(/\[\w+\]/g, ''));
    expect(paths).toEqual([expect.stringContaining(field)]);
  });
});

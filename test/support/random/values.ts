import type { Property } from '../../../simulator/schema/endpoint';
import { FORMATS } from '../../../simulator/schema/endpoint';
import type { Random } from '../../../simulator/random';

export const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)]!;

/** Values that belong to a parameter of this name, whatever its type says. */
const BY_NAME: Record<string, string[]> = {
  vmid: ['100', '9000', '9001', '150', '200', '201', '202', '203', '204', '10001', '10002', '10003', '10004'],
  newid: ['205', '206', '207', '208', '200', '9000'],
  node: ['pve1', 'pve1', 'pve2', 'pve3', 'localhost', 'pve9'],
  target: ['pve1', 'pve2', 'pve3', 'scsi0', 'pve9'],
  storage: ['local', 'local-lvm', 'shared', 'shared', 'nowhere'],
  targetstorage: ['local-lvm', 'shared', 'local:shared', '1'],
  disk: ['scsi0', 'scsi1', 'virtio0', 'ide2', 'efidisk0', 'unused0', 'sata0'],
  'target-disk': ['scsi1', 'scsi2', 'virtio1', 'unused3'],
  'target-vmid': ['200', '201', '9000', '10002'],
  snapname: ['first', 'second', 'third', 'current', 'x'],
  parent: ['first', 'none'],
  size: ['+1G', '32G', '1', '+0', '512M', '-1G', '1T', '99999999T'],
  volume: [
    'shared:iso/debian-12.9.0-amd64-netinst.iso',
    'local-lvm:vm-100-disk-0',
    'local-lvm:vm-200-disk-0',
    'vm-201-disk-0',
    'local:iso/a.iso',
    'shared:9000/base-9000-disk-0.qcow2',
    'x',
  ],
  filename: ['vm-200-disk-7', 'vm-201-disk-1.qcow2', 'a.iso', '../../etc/passwd', 'x.raw'],
  content: ['iso', 'images', 'import', 'vztmpl', 'images,iso', 'backup'],
  format: ['raw', 'qcow2', 'vmdk', 'subvol'],
  poolid: ['team', 'team/sub', 'other', 'team/sub/deep'],
  pool: ['team', 'other', 'none'],
  vms: ['200', '200,201', '9000 10001', '4711'],
  userid: ['a@pve', 'b@pve', 'b@pve', 'c@pve', 'reader@pve', 'nobody@pve', 'a@nowhere'],
  users: ['a@pve', 'a@pve,b@pve', 'reader@pve'],
  username: ['a@pve', 'root@pam', 'root', 'reader@pve'],
  password: ['secret-word', 'x', 'root-password'],
  groupid: ['g1', 'g2'],
  groups: ['g1', 'g1,g2'],
  roleid: ['R1', 'PVEAdmin', 'Administrator', 'NoAccess'],
  roles: ['PVEAuditor', 'PVEVMAdmin,R1', 'NoAccess'],
  privs: ['VM.Audit', 'VM.Audit,Datastore.Audit', 'VM.Monitor', 'All.Of.It'],
  tokenid: ['t1', 't2', 't3'],
  tokens: ['a@pve!t1', 'root@pam!t1'],
  path: ['/', '/vms/200', '/storage/local', '/pool/team', '/nodes/pve1', '//vms//', '/bogus', 'local'],
  realm: ['pam', 'pve', 'ldap'],
  delete: [
    'cores',
    'net0',
    'scsi0',
    'scsi1,ide2',
    'tags',
    'description',
    'unused0',
    'memory',
    'bogus',
    'comment',
    'boot,agent',
  ],
  revert: ['cores', 'net0', 'scsi0', 'memory'],
  digest: ['0000000000000000000000000000000000000000', 'x'],
  lock: ['backup', 'suspended'],
  boot: ['order=scsi0', 'order=scsi0;net0', 'order=scsi9', 'cdn', 'order='],
  agent: ['1', 'enabled=1,fstrim_cloned_disks=1', '0'],
  name: ['web-1', 'a.b', 'no_underscore', 'x'.repeat(80)],
  tags: ['a;b', 'B,a', '', 'ä'],
  description: ['text', 'ä 😀\nmore', ' ', '%0A', ''],
  comment: ['text', 'ä 😀', 'a\nb', ''],
  sshkeys: ['ssh-ed25519%20AAAAC3NzaC1lZDI1NTE5AAAAIJ%20a', 'x', ''],
  smbios1: ['uuid=11111111-1111-4111-8111-111111111111', 'uuid=x'],
  sid: ['vm:200', 'vm:9000', '200', 'ct:150', 'vm:4711'],
  resources: ['vm:200', 'vm:200,vm:201'],
  nodes: ['pve1', 'pve1:2,pve2', 'pve9'],
  rule: ['r1', 'r2'],
  type: ['vm', 'node-affinity', 'resource-affinity', 'in', 'group', 'dir', 'qemu'],
  action: ['ACCEPT', 'DROP', 'g1', 'enter'],
  command: ['info version', 'quit', 'bogus', 'whoami', ''],
  key: ['ctrl-alt-delete', 'x'],
  url: ['https://example.org/x.iso', 'ftp://x', 'x'],
  checksum: ['00', 'x'],
  pos: ['0', '1', '7'],
  cores: ['1', '2', '4', '0'],
  sockets: ['1', '2'],
  memory: ['512', '2048', '16', '15', '1024'],
  balloon: ['0', '512', '99999'],
  cpu: ['host', 'x86-64-v2-AES', 'kvm64,flags=+aes', 'bogus'],
  scsihw: ['virtio-scsi-pci', 'virtio-scsi-single'],
  bios: ['seabios', 'ovmf'],
  machine: ['q35', 'pc', 'pc-i440fx-10.0'],
  hotplug: ['network,disk,usb', '0', '1', 'network,disk,cpu,memory', 'bogus'],
  ciuser: ['admin', ''],
  cipassword: ['word', '$5$a$b'],
  nameserver: ['10.0.0.1', '10.0.0.1 10.0.0.2', 'x'],
  searchdomain: ['example.org'],
  protection: ['0', '0', '1'],
  numa: ['0', '1'],
  vcpus: ['1', '2'],
  cidr: ['10.0.0.0/24', '10.0.0.1', 'x', 'dc/a1'],
  service: ['pveproxy', 'x'],
  iface: ['vmbr0', 'vmbr9', 'eth0'],
  timeout: ['0', '1', '5'],
  bwlimit: ['0', '1000000'],
};

const DRIVES = [
  'local-lvm:1',
  'shared:2,format=qcow2',
  'local-lvm:0.1,discard=on,iothread=1',
  'local-lvm:cloudinit',
  'shared:cloudinit',
  'none,media=cdrom',
  'shared:iso/debian-12.9.0-amd64-netinst.iso,media=cdrom',
  'local-lvm:vm-200-disk-0',
  'local-lvm:vm-100-disk-0',
  'local-lvm:vm-4711-disk-0',
  'shared:0,import-from=local-lvm:vm-200-disk-0',
  'shared:0,import-from=shared:9000/base-9000-disk-0.qcow2',
  'local-lvm:5G',
  '/dev/sdb',
  'local-lvm:1,efitype=4m,pre-enrolled-keys=1',
  'local-lvm:1,version=v2.0',
  'bogus:1',
];

const BY_PATTERN: [RegExp, string[]][] = [
  [/^(scsi|virtio|sata|ide|unused)\d+$|^(efidisk|tpmstate)0$/, DRIVES],
  [
    /^net\d+$/,
    [
      'virtio,bridge=vmbr0',
      'model=e1000,macaddr=BC:24:11:00:00:01,bridge=vmbr1,tag=5',
      'virtio=BC:24:11:00:00:02',
      'virtio,bridge=vmbr9',
      'virtio,bridge=vmbr0,tag=4711',
    ],
  ],
  [/^ipconfig\d+$/, ['ip=dhcp', 'ip=10.0.0.5/24,gw=10.0.0.1', 'ip6=auto', 'ip=x', 'gw=10.0.0.1']],
];

/** Texts that belong nowhere. */
const ODD = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'Infinity',
  'true',
  'null',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '../..',
  'a,b,,c',
  '=',
  ',',
  ';',
  'a=b=c',
  'x'.repeat(300),
  'ä😀\u0000\u0007',
  '%',
  '%00%ff',
  '\n',
  '$(reboot)',
  '(',
  '[',
  '*',
  '\\',
];

/**
 * A value for a parameter: mostly one that could be right, sometimes near it, and so often of a hundred nothing of
 * the kind.
 */
export function valueFor(random: Random, name: string, property: Property, odd: number): unknown {
  const luck = random.below(100);
  if (random.below(100) < odd) return pick(random, ODD);
  if (random.below(400) < odd)
    return pick(random, [[], ['a', 'b'], {}, { a: 1 }, 0, 1.5, -7, true, false, null]);
  const named = Object.hasOwn(BY_NAME, name)
    ? BY_NAME[name]
    : BY_PATTERN.find(([pattern]) => pattern.test(name))?.[1];
  // a lock that only workers set would look like one that a worker left behind
  if (named && (luck < 90 || name === 'lock')) return pick(random, named);
  return byType(random, property, odd);
}

function byType(random: Random, property: Property, odd: number): unknown {
  const { type, format, minimum = 0, maximum = 100_000, items } = property;
  if (property.enum) return pick(random, property.enum);
  if (type === 'boolean') return pick(random, ['0', '1', '1', '0', ...(odd > 2 ? ['yes'] : [])]);
  if (type === 'integer' || type === 'number') {
    const edges = [minimum, maximum, minimum - 1, maximum + 1];
    return random.below(100) < odd * 3
      ? pick(random, edges)
      : minimum + random.below(Math.min(maximum - minimum, 64) + 1);
  }
  if (type === 'array') return [byType(random, items ?? {}, odd), byType(random, items ?? {}, odd)];
  const inner = typeof format === 'string' ? FORMATS[format]?.properties : format?.properties;
  if (inner) return propertyString(random, inner, odd);
  return pick(random, [
    ...(odd > 2 ? ODD : []),
    'a',
    'abc',
    'a1',
    '10.0.0.1',
    'pve1',
    'a,b',
    '200',
    'vm:200',
  ]);
}

function propertyString(random: Random, properties: Record<string, Property>, odd: number): string {
  const entries = Object.entries(properties);
  const chosen = entries.filter(
    ([, { optional }]) => (optional ? random.below(4) === 0 : random.below(20) > 0) && entries.length > 0,
  );
  return chosen
    .slice(0, 6)
    .map(([key, inner]) => {
      const value = valueFor(random, key, inner, odd);
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return inner.default_key && random.below(2) === 0 ? text : `${key}=${text}`;
    })
    .join(',');
}

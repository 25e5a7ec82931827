import { entriesOf, type Wanted } from './guests';

const GiB = 1024 ** 3;

const MACHINES: Wanted[] = [
  {
    vmid: 100,
    name: 'erp',
    node: 'pve1',
    storage: 'local-lvm',
    gib: 64,
    cores: 4,
    mib: 8192,
    config: { onboot: '1' },
  },
  { vmid: 101, name: 'mail', node: 'pve2', storage: 'nfs', gib: 40, cores: 2, mib: 4096 },
  {
    ...{ vmid: 9000, name: 'debian-12', node: 'pve1', storage: 'nfs', gib: 8, cores: 2, mib: 2048 },
    ...{ isTemplate: true, config: { ipconfig0: 'ip=dhcp', serial0: 'socket', vga: 'serial0' } },
  },
];

/** What a program of today asks for, under the names of release 8. */
const DEPLOYER = [
  ...['VM.Allocate', 'VM.Audit', 'VM.Clone', 'VM.Monitor', 'VM.PowerMgmt', 'VM.Migrate', 'VM.Snapshot'],
  ...['VM.Config.CDROM', 'VM.Config.CPU', 'VM.Config.Cloudinit', 'VM.Config.Disk', 'VM.Config.HWType'],
  ...[
    'VM.Config.Memory',
    'VM.Config.Network',
    'VM.Config.Options',
    'Datastore.AllocateSpace',
    'Datastore.Audit',
  ],
  ...['SDN.Use', 'Sys.Audit', 'Pool.Audit'],
].join(',');

/** Two nodes of release 8.4, with a role as it is written there: `VM.Monitor` went with 9. */
export function oldRelease(): object {
  const { guests, volumes } = entriesOf(MACHINES);
  return {
    version: { release: '8.4', version: '8.4.21' },
    cluster: { name: 'old', quorate: true },
    nodes: [
      { name: 'pve1', bridges: ['vmbr0'], local: true },
      { name: 'pve2', bridges: ['vmbr0'] },
    ],
    storages: [
      {
        ...{ storage: 'local', type: 'dir', path: '/var/lib/vz', total: 100 * GiB },
        content: 'iso,vztmpl,snippets,import,backup',
      },
      {
        ...{ storage: 'local-lvm', type: 'lvmthin', content: 'images,rootdir', total: 500 * GiB },
        options: { thinpool: 'data', vgname: 'pve' },
      },
      {
        ...{ storage: 'nfs', type: 'nfs', path: '/mnt/pve/nfs', content: 'images,iso', total: 2000 * GiB },
        options: { server: '192.0.2.200', export: '/export/pve' },
      },
    ],
    volumes,
    guests,
    users: { 'deployer@pve': { password: 'simulated' } },
    tokens: { 'deployer@pve!ci': { value: '84848484-8484-4484-8484-848484848484', privsep: false } },
    roles: { Deployer: DEPLOYER },
    acl: [{ path: '/', ugid: 'deployer@pve', roleid: 'Deployer' }],
  };
}

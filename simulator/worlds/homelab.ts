import { entriesOf, type Wanted } from './guests';

const GiB = 1024 ** 3;
const here = { node: 'pve', storage: 'local-zfs' };

const MACHINES: Wanted[] = [
  {
    ...here,
    vmid: 100,
    name: 'home-assistant',
    gib: 32,
    cores: 2,
    mib: 4096,
    config: { onboot: '1', tags: 'home' },
  },
  {
    ...{ ...here, vmid: 101, name: 'nas', gib: 32, cores: 2, mib: 8192 },
    config: {
      onboot: '1',
      protection: '1',
      tags: 'storage',
      description: 'The disks are passed through. Ask before you touch it.',
    },
    system: { agent: false },
  },
  { ...here, vmid: 102, name: 'docker', gib: 64, cores: 4, mib: 8192, snapshots: ['before-upgrade'] },
  { ...here, vmid: 103, name: 'media', gib: 32, cores: 4, mib: 4096, config: { onboot: '1', tags: 'home' } },
  {
    ...{ ...here, vmid: 107, name: 'windows-11', gib: 80, cores: 4, mib: 8192, isOff: true },
    config: { ostype: 'win11', bios: 'seabios', agent: '0' },
    system: { agent: false, bootMs: 20_000 },
  },
  { ...here, vmid: 108, name: 'k3s-1', gib: 20, cores: 2, mib: 2048, config: { tags: 'k3s' } },
  { ...here, vmid: 109, name: 'k3s-2', gib: 20, cores: 2, mib: 2048, config: { tags: 'k3s' } },
  {
    ...here,
    vmid: 110,
    name: 'dev',
    gib: 40,
    cores: 4,
    mib: 4096,
    isOff: true,
    snapshots: ['clean', 'tools'],
  },
  {
    ...{ ...here, vmid: 9000, name: 'debian-12', gib: 8, cores: 2, mib: 2048, isTemplate: true },
    config: { ide2: 'none,media=cdrom', ipconfig0: 'ip=dhcp', serial0: 'socket', vga: 'serial0' },
  },
];

const CONTAINERS: Wanted[] = [
  { ...here, vmid: 104, name: 'dns', gib: 4, cores: 1, mib: 512 },
  { ...here, vmid: 105, name: 'proxy', gib: 4, cores: 1, mib: 512 },
  { ...here, vmid: 106, name: 'passwords', gib: 8, cores: 1, mib: 1024 },
];

/** One node at home: ZFS for the guests, folders for the rest, a dozen guests, and no cluster. */
export function homelab(): object {
  const { guests, volumes } = entriesOf(MACHINES, CONTAINERS);
  return {
    version: { release: '9.2', version: '9.2.11' },
    nodes: [{ name: 'pve', ip: '192.0.2.10', bridges: ['vmbr0'], cpus: 8, memory: 64 * GiB, local: true }],
    storages: [
      {
        storage: 'local',
        type: 'dir',
        path: '/var/lib/vz',
        content: 'iso,vztmpl,snippets,import,backup',
        total: 100 * GiB,
      },
      {
        ...{ storage: 'local-zfs', type: 'zfspool', content: 'images,rootdir', total: 900 * GiB },
        options: { pool: 'rpool/data', sparse: '1' },
      },
      { storage: 'backup', type: 'dir', path: '/mnt/backup', content: 'backup', total: 4000 * GiB },
    ],
    volumes: [
      ...volumes,
      { volid: 'local:iso/debian-12.9.0-amd64-netinst.iso', node: 'pve', size: 662_700_032 },
    ],
    guests,
    pools: [{ poolid: 'k3s', vms: [108, 109], comment: 'Machines of the small Kubernetes' }],
  };
}

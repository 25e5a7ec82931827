import { entriesOf, type Wanted } from './guests';

const GiB = 1024 ** 3;
const NODES = ['pve1', 'pve2', 'pve3'];

const MACHINES: Wanted[] = [
  ...['web-1', 'web-2', 'web-3'].map((name, index) => ({
    ...{ vmid: 101 + index, name, node: NODES[index] ?? 'pve1', storage: 'ceph-vm' },
    ...{ gib: 20, cores: 2, mib: 2048, config: { tags: 'web' } },
  })),
  ...['db-1', 'db-2'].map((name, index) => ({
    ...{ vmid: 111 + index, name, node: NODES[index + 1] ?? 'pve2', storage: 'ceph-vm' },
    ...{ gib: 100, cores: 4, mib: 8192, config: { tags: 'db', onboot: '1' } },
  })),
  {
    ...{ vmid: 9000, name: 'debian-12', node: 'pve1', storage: 'ceph-vm', gib: 8, cores: 2, mib: 2048 },
    ...{ isTemplate: true, config: { ipconfig0: 'ip=dhcp', serial0: 'socket', vga: 'serial0' } },
  },
];

const NODES_OF_WORLD = NODES.map((name, index) => ({
  ...{ name, bridges: ['vmbr0', 'vmbr1'], cpus: 32, memory: 128 * GiB },
  local: index === 0,
}));

const STORAGES = [
  {
    ...{ storage: 'local', type: 'dir', path: '/var/lib/vz', total: 100 * GiB },
    content: 'iso,vztmpl,snippets,import,backup',
  },
  {
    ...{ storage: 'ceph-vm', type: 'rbd', content: 'images,rootdir', total: 10_000 * GiB },
    options: { pool: 'ceph-vm', krbd: '0' },
  },
  {
    ...{ storage: 'cephfs', type: 'cephfs', path: '/mnt/pve/cephfs', total: 2000 * GiB },
    ...{ content: 'iso,vztmpl,snippets,import,backup', options: { 'fs-name': 'cephfs' } },
  },
];

const HA = {
  resources: [
    { sid: 'vm:111', state: 'started' },
    { sid: 'vm:112', state: 'started' },
  ],
  rules: [
    {
      rule: 'apart',
      type: 'resource-affinity',
      settings: { resources: 'vm:111,vm:112', affinity: 'negative' },
    },
  ],
};

/**
 * Three nodes whose guests stand on Ceph: any node can run each of them. Assumed, for no cluster with Ceph was recorded:
 * the storages `rbd` and `cephfs` do what Proxmox's source says of their kind. /nodes/NODE/ceph is not simulated.
 */
export function threeNodesCeph(): object {
  const { guests, volumes } = entriesOf(MACHINES);
  return {
    version: { release: '9.2', version: '9.2.11' },
    cluster: { name: 'ceph', quorate: true },
    nodes: NODES_OF_WORLD,
    storages: STORAGES,
    volumes: [
      ...volumes,
      { volid: 'cephfs:iso/debian-12.9.0-amd64-netinst.iso', node: '*', size: 662_700_032 },
    ],
    guests,
    ha: HA,
  };
}

import type { Node, Storage, World } from './world';

const GiB = 1024 ** 3;
const BOOTED_AT = 1_699_000_000;

/** One node of the default cluster, by its number from 1. */
export function defaultNode(nodeid: number): Node {
  return {
    name: `pve${nodeid}`,
    nodeid,
    ip: `192.0.2.${nodeid}`,
    online: true,
    apiUp: true,
    bridges: ['vmbr0', 'vmbr1', 'vmbr2'],
    cpus: 16,
    memory: 64 * GiB,
    bootedAt: BOOTED_AT,
  };
}

const STORAGES: Storage[] = [
  {
    storage: 'local',
    type: 'dir',
    path: '/var/lib/vz',
    content: 'images,iso,vztmpl,snippets,import,rootdir,backup',
    shared: false,
    enabled: true,
    total: 500 * GiB,
  },
  {
    storage: 'local-lvm',
    type: 'lvmthin',
    content: 'images,rootdir',
    shared: false,
    enabled: true,
    total: 1000 * GiB,
  },
  {
    storage: 'shared',
    type: 'nfs',
    path: '/mnt/pve/shared',
    content: 'images,iso,snippets,import',
    shared: true,
    enabled: true,
    total: 4000 * GiB,
  },
];

/** The cluster that runs when nobody says otherwise: so many nodes, three storages, no guests yet. */
export function defaultWorld(nodes: number): World {
  return {
    version: { release: '9.2', version: '9.2.11' },
    cluster: { name: 'simulated', quorate: true },
    nodes: Array.from({ length: nodes }, (_, index) => defaultNode(index + 1)),
    storages: structuredClone(STORAGES),
    volumes: [],
    guests: {},
    pools: {},
    access: {
      realms: { pam: { type: 'pam', default: true }, pve: { type: 'pve' } },
      users: { 'root@pam': { enable: true, tokens: {} } },
      groups: {},
      roles: {},
      acl: [],
    },
    ha: { resources: {}, rules: {} },
    firewall: {},
    datacenter: {},
  };
}

import { addDefaultGuests, addManyGuests, LINUX } from './guests';
import type { Download, Storage, World } from '../world';
import { defaultNode } from './node';

const GiB = 1024 ** 3;

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
    options: { thinpool: 'data', vgname: 'pve' },
  },
  {
    storage: 'shared',
    type: 'nfs',
    path: '/mnt/pve/shared',
    content: 'images,iso,snippets,import',
    shared: true,
    enabled: true,
    total: 4000 * GiB,
    options: { server: '192.0.2.200', export: '/export/pve' },
  },
];

/** What download-url finds: two cloud images that boot, with the agent inside, and an installer. */
const DOWNLOADS: Record<string, Download> = {
  'https://cloud-images.ubuntu.com/jammy/current/jammy-server-cloudimg-amd64.img': {
    size: 688_390_144,
    virtualSize: 2_361_393_152,
    system: LINUX,
  },
  'https://cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2': {
    size: 447_741_952,
    virtualSize: 3 * GiB,
    system: LINUX,
  },
  'https://cdimage.debian.org/debian-cd/current/amd64/iso-cd/debian-12.9.0-amd64-netinst.iso': {
    size: 662_700_032,
  },
};

/**
 * The cluster that runs when nobody says otherwise: so many nodes, three storages, two templates, an ISO, a guest
 * and a container of somebody else; and so many more guests. One node alone is no cluster, as in Proxmox.
 */
export function defaultWorld(nodes: number, guests = 0): World {
  const world: World = {
    version: { release: '9.2', version: '9.2.11' },
    cluster: nodes > 1 ? { name: 'simulated', quorate: true } : null,
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
    ha: { resources: {}, rules: {}, services: {}, commands: [] },
    // whatever somebody wants to try can be passed on
    devices: { pci: ['*'], usb: ['*'] },
    firewall: {},
    datacenter: {},
    downloads: structuredClone(DOWNLOADS),
  };
  addDefaultGuests(world);
  addManyGuests(world, guests);
  return world;
}

import type { HandlerTable } from '../cluster/call';

/** The routes that only list what lies below them: the key of each row, and the names. */
const LISTS: Record<string, [string, string]> = {
  '/': ['subdir', 'version cluster nodes storage access pools'],
  '/access': ['subdir', 'users groups roles acl domains openid tfa ticket password'],
  '/cluster': [
    'name',
    'acme backup backup-info bulk-action ceph config firewall ha jobs log mapping metrics nextid notifications options qemu replication resources sdn status tasks',
  ],
  '/cluster/config': ['name', 'nodes totem join qdevice apiversion'],
  '/cluster/ha': ['id', 'groups resources rules status'],
  '/cluster/ha/status': ['name', 'current manager_status disarm-ha arm-ha'],
  '/cluster/jobs': ['subdir', 'schedule-analyze realm-sync'],
  '/cluster/mapping': ['name', 'dir pci usb'],
  '/cluster/metrics': ['name', 'server export'],
  '/cluster/sdn': ['id', 'vnets zones controllers ipams dns fabrics lock rollback'],
  '/nodes/{node}': [
    'name',
    'aplinfo apt capabilities ceph certificates config disks dns firewall hardware hosts journal lxc migrateall netstat network qemu query-oci-repo-tags query-url-metadata replication report rrd rrddata scan sdn services spiceshell startall status stopall storage subscription suspendall syslog tasks termproxy time version vncshell vzdump wakeonlan',
  ],
  '/nodes/{node}/apt': ['id', 'changelog repositories update versions'],
  '/nodes/{node}/capabilities': ['name', 'qemu'],
  '/nodes/{node}/capabilities/qemu': ['name', 'cpu cpu-flags machines migration'],
  '/nodes/{node}/disks': ['name', 'list initgpt smart lvm lvmthin directory wipedisk zfs'],
  '/nodes/{node}/hardware': ['type', 'pci usb'],
  '/nodes/{node}/sdn': ['subdir', 'zones vnets fabrics'],
  '/cluster/firewall': ['name', 'rules groups aliases ipset options macros refs'],
  '/nodes/{node}/firewall': ['name', 'rules options log'],
  '/nodes/{node}/lxc/{vmid}/firewall': ['name', 'rules aliases ipset refs options'],
  '/nodes/{node}/qemu/{vmid}/firewall': ['name', 'rules aliases ipset refs options'],
  '/nodes/{node}/qemu/{vmid}/snapshot/{snapname}': ['cmd', 'rollback config'],
  '/nodes/{node}/storage/{storage}': [
    'subdir',
    'content download-url file-restore identity import-metadata oci-registry-pull prunebackups rrd rrddata status upload',
  ],
  '/nodes/{node}/tasks/{upid}': ['name', 'log status'],
};

/** Lists that are empty in this simulation: nothing of their kind is ever made. */
const EMPTY = [
  '/access/tfa',
  '/cluster/metrics/server',
  '/cluster/sdn/controllers',
  '/cluster/sdn/dns',
  '/cluster/sdn/ipams/{ipam}/status',
  '/cluster/sdn/vnets',
  '/cluster/sdn/zones',
  '/nodes/{node}/apt/update',
  '/nodes/{node}/disks/directory',
  '/nodes/{node}/disks/zfs',
  '/nodes/{node}/hardware/pci',
  '/nodes/{node}/hardware/usb',
  '/nodes/{node}/sdn/zones',
];

export const indexListHandlers: HandlerTable = Object.fromEntries([
  // PVE: its own address management is always there
  ['GET /cluster/sdn/ipams', () => [{ ipam: 'pve', type: 'pve' }]],
  ...Object.entries(LISTS).map(([path, [key, names]]) => [
    `GET ${path}`,
    () => names.split(' ').map(name => ({ [key]: name })),
  ]),
  ...EMPTY.map(path => [`GET ${path}`, () => []]),
]);

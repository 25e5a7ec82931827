/* eslint-disable max-lines -- one table: a row for each key of Proxmox, to be read from top to bottom */
import { DRIVE_ALIASES, DRIVE_PROPERTIES } from './drive-properties';
import type { PveKey } from './pve-key';

// PVE: check_vm_modify_config_perm, 8.4 and 9.2 alike
const CPU = ['VM.Config.CPU'];
const MEMORY = ['VM.Config.Memory'];
const HARDWARE = ['VM.Config.HWType'];
const OPTIONS = ['VM.Config.Options'];
const DISK = ['VM.Config.Disk'];
const NETWORK = ['VM.Config.Network'];
const CLOUD_INIT = ['VM.Config.Cloudinit', 'VM.Config.Network'];
const ROOT = 'root@pam';

const BUS = {
  privilege: 'by value',
  volume: 'bus',
  slow: true,
  boots: true,
  bare: 'file',
  aliases: DRIVE_ALIASES,
  properties: DRIVE_PROPERTIES,
} as const;
const HOT_BUS = { ...BUS, live: 'a hot drive allows' } as const;
const COLD_BUS = { ...BUS, live: 'a cold drive allows' } as const;
const STATE = {
  privilege: 'by value',
  volume: 'state',
  slow: true,
  bare: 'file',
  aliases: DRIVE_ALIASES,
  properties: { 'pre-enrolled-keys': { kind: 'boolean' } },
} as const;

const NIC_MODELS =
  'e1000 e1000-82540em e1000-82544gc e1000-82545em e1000e i82551 i82557b i82559er ne2k_isa ne2k_pci pcnet rtl8139 virtio vmxnet3';

/**
 * Every key of a guest's configuration in PVE 8.4 and 9.2, an index written as [n], with everything that Proxmox says
 * about it. Whatever else needs such a fact derives it from here.
 */
export const KEYS: Readonly<Record<string, PveKey>> = {
  acpi: { kind: 'boolean', default: '1', privilege: HARDWARE },
  affinity: { privilege: ROOT },
  agent: {
    live: 'all that changes is live',
    privilege: OPTIONS,
    bare: 'enabled',
    // PVE 9.2 calls it freeze-fs and takes the old name too; 8.4 knows only the old one
    aliases: { 'freeze-fs': 'freeze-fs-on-backup', 'guest-fsfreeze': 'freeze-fs-on-backup' },
    properties: {
      enabled: { kind: 'boolean', default: '0' },
      'freeze-fs-on-backup': { kind: 'boolean', default: '1' },
      fstrim_cloned_disks: { kind: 'boolean', default: '0', live: true },
      type: { default: 'virtio' },
    },
  },
  'allow-ksm': { kind: 'boolean', default: '1', privilege: MEMORY },
  'amd-sev': {
    privilege: ROOT,
    bare: 'type',
    properties: {
      'allow-smt': { kind: 'boolean' },
      'kernel-hashes': { kind: 'boolean' },
      'no-debug': { kind: 'boolean' },
      'no-key-sharing': { kind: 'boolean' },
    },
  },
  arch: { privilege: ROOT },
  args: { privilege: ROOT },
  audio0: { privilege: HARDWARE, properties: { driver: { default: 'spice' } } },
  autostart: { kind: 'boolean', default: '0', privilege: OPTIONS },
  balloon: { kind: 'mebibytes', live: 'it stays on or off', privilege: MEMORY },
  bios: { default: 'seabios', privilege: OPTIONS },
  boot: { privilege: DISK, bare: 'legacy', properties: {} },
  bootdisk: { privilege: DISK },
  cicustom: { live: 'always', privilege: CLOUD_INIT, cloudInit: true, properties: {} },
  cipassword: { live: 'always', privilege: CLOUD_INIT, cloudInit: true, secret: true },
  citype: { live: 'always', privilege: CLOUD_INIT, cloudInit: true },
  ciupgrade: { kind: 'boolean', default: '1', live: 'always', privilege: CLOUD_INIT, cloudInit: true },
  ciuser: { live: 'always', privilege: CLOUD_INIT, cloudInit: true },
  cores: { kind: 'number', default: '1', privilege: CPU },
  cpu: {
    privilege: CPU,
    bare: 'cputype',
    // PVE: "CPU is missing cputype", though its schema says that the type may be left out
    required: { cputype: 'kvm64' },
    properties: {
      cputype: { default: 'kvm64' },
      flags: { same: 'set' },
      'guest-phys-bits': { kind: 'number' },
      hidden: { kind: 'boolean', default: '0' },
      level: { kind: 'number' },
    },
  },
  cpulimit: { kind: 'number', default: '0', live: 'at once', privilege: CPU },
  cpuunits: { kind: 'number', live: 'at once', privilege: CPU },
  description: { live: 'always', privilege: OPTIONS },
  efidisk0: STATE,
  freeze: { kind: 'boolean', privilege: ['VM.PowerMgmt'] },
  hookscript: { live: 'always', privilege: ROOT },
  'hostpci[n]': {
    last: 15,
    slow: true,
    privilege: 'by value',
    boots: true,
    ofNode: true,
    bare: 'host',
    properties: {
      driver: { default: 'vfio' },
      'legacy-igd': { kind: 'boolean', default: '0' },
      pcie: { kind: 'boolean', default: '0' },
      rombar: { kind: 'boolean', default: '1' },
      'x-vga': { kind: 'boolean', default: '0' },
    },
  },
  hotplug: {
    default: 'network,disk,usb',
    live: 'no plugging of cpu and memory',
    privilege: HARDWARE,
    same: 'hotplug',
  },
  hugepages: { privilege: ROOT },
  'ide[n]': { last: 3, ...COLD_BUS },
  'intel-tdx': {
    privilege: ROOT,
    bare: 'type',
    properties: {
      attestation: { kind: 'boolean' },
      'vsock-cid': { kind: 'number' },
      'vsock-port': { kind: 'number' },
    },
  },
  'ipconfig[n]': {
    last: 31,
    live: 'always',
    privilege: CLOUD_INIT,
    cloudInit: true,
    properties: { gw6: { same: 'address' }, ip6: { same: 'address' } },
  },
  ivshmem: { privilege: ROOT, properties: { size: { kind: 'number' } } },
  keephugepages: { kind: 'boolean', default: '0', privilege: ROOT },
  keyboard: { privilege: OPTIONS },
  kvm: { kind: 'boolean', default: '1', privilege: HARDWARE },
  localtime: { kind: 'boolean', privilege: OPTIONS },
  machine: {
    privilege: HARDWARE,
    bare: 'type',
    properties: {
      'aw-bits': { kind: 'number' },
      'enable-s3': { kind: 'boolean' },
      'enable-s4': { kind: 'boolean' },
      type: { default: 'pc', same: 'chipset' },
    },
  },
  memory: {
    live: 'memory grows',
    slow: true,
    privilege: MEMORY,
    bare: 'current',
    properties: { current: { kind: 'mebibytes', default: '512' } },
  },
  migrate_downtime: { kind: 'number', default: '0.1', live: 'always', privilege: OPTIONS },
  migrate_speed: { kind: 'number', default: '0', live: 'always', privilege: OPTIONS },
  name: { live: 'always', privilege: OPTIONS },
  nameserver: { live: 'always', privilege: CLOUD_INIT, same: 'addresses', cloudInit: true },
  'net[n]': {
    last: 31,
    live: 'network is plugged',
    slow: true,
    privilege: NETWORK,
    boots: true,
    bare: 'model',
    pair: { names: NIC_MODELS.split(' '), name: 'model', value: 'macaddr' },
    properties: {
      firewall: { kind: 'boolean', default: '0' },
      'host-tunnel': { kind: 'boolean' },
      link_down: { kind: 'boolean', default: '0' },
      macaddr: { same: 'any case' },
      mtu: { kind: 'number' },
      queues: { kind: 'number' },
      rate: { kind: 'number' },
      tag: { kind: 'number' },
      trunks: { same: 'set' },
    },
  },
  numa: { kind: 'boolean', default: '0', privilege: CPU },
  'numa[n]': { last: 7, privilege: CPU, properties: { memory: { kind: 'number' } } },
  onboot: { kind: 'boolean', default: '0', live: 'always', privilege: OPTIONS },
  ostype: { default: 'other', privilege: OPTIONS },
  'parallel[n]': { last: 2, privilege: ROOT, ofNode: true },
  protection: { kind: 'boolean', default: '0', live: 'always', privilege: OPTIONS },
  reboot: { kind: 'boolean', default: '1', privilege: OPTIONS },
  rng0: {
    privilege: HARDWARE,
    bare: 'source',
    properties: {
      max_bytes: { kind: 'number', default: '1024' },
      period: { kind: 'number', default: '1000' },
    },
  },
  'sata[n]': { last: 5, ...COLD_BUS },
  'scsi[n]': { last: 30, ...HOT_BUS },
  scsihw: { default: 'lsi', privilege: HARDWARE },
  searchdomain: { live: 'always', privilege: CLOUD_INIT, same: 'words', cloudInit: true },
  'serial[n]': { last: 3, privilege: 'by value', ofNode: true },
  shares: { kind: 'number', default: '1000', live: 'always', privilege: MEMORY },
  smbios1: {
    privilege: HARDWARE,
    properties: { base64: { kind: 'boolean' }, uuid: { same: 'any case' } },
  },
  smp: { kind: 'number', privilege: CPU },
  sockets: { kind: 'number', default: '1', privilege: CPU },
  spice_enhancements: { privilege: ROOT, properties: { foldersharing: { kind: 'boolean' } } },
  sshkeys: { kind: 'ssh keys', live: 'always', privilege: CLOUD_INIT, same: 'ssh keys', cloudInit: true },
  startdate: { default: 'now', privilege: OPTIONS },
  startup: {
    live: 'always',
    privilege: OPTIONS,
    // the order of starts is the host's business too
    hostPrivilege: 'Sys.Modify',
    bare: 'order',
    properties: { order: { kind: 'number' }, up: { kind: 'number' }, down: { kind: 'number' } },
  },
  tablet: { kind: 'boolean', default: '1', live: 'usb is plugged', privilege: HARDWARE },
  tags: { live: 'always', privilege: OPTIONS, same: 'set' },
  tdf: { kind: 'boolean', default: '0', privilege: OPTIONS },
  template: { kind: 'boolean', privilege: OPTIONS },
  tpmstate0: STATE,
  'unused[n]': {
    last: 255,
    live: 'at once',
    slow: true,
    privilege: 'by value',
    volume: 'unused',
    bare: 'file',
    aliases: DRIVE_ALIASES,
    properties: {},
  },
  'usb[n]': {
    last: 13,
    live: 'its usb is plugged',
    slow: true,
    privilege: 'by value',
    boots: true,
    ofNode: true,
    bare: 'host',
    properties: { usb3: { kind: 'boolean', default: '0' } },
  },
  vcpus: { kind: 'number', live: 'cpu is plugged', slow: true, privilege: CPU },
  vga: {
    privilege: HARDWARE,
    bare: 'type',
    properties: { memory: { kind: 'mebibytes' }, type: { default: 'std' } },
  },
  'virtio[n]': { last: 15, ...HOT_BUS },
  'virtiofs[n]': {
    last: 9,
    privilege: 'by value',
    bare: 'dirid',
    properties: {
      cache: { default: 'auto' },
      'direct-io': { kind: 'boolean', default: '0' },
      'expose-acl': { kind: 'boolean', default: '0' },
      'expose-xattr': { kind: 'boolean', default: '0' },
    },
  },
  vmgenid: { privilege: ROOT },
  vmstatestorage: { live: 'always', privilege: DISK },
  watchdog: { privilege: HARDWARE, bare: 'model', properties: { model: { default: 'i6300esb' } } },
};

/**
 * What the property strings of a guest's configuration mean: one row a key. Facts of PVE 8.4 and 9.2;
 * a key that is not named under `keys` is text.
 */
export type PropertyKind = 'boolean' | 'number' | 'mac';

export interface PropertyTable {
  /** The key of a part that has no `key=`. */
  defaultKey?: string;
  keys: Record<string, PropertyKind>;
  aliases?: Record<string, string>;
  /** For NICs: `virtio=MAC` stands for two keys. */
  spread?: { names: string[]; nameKey: string; valueKey: string };
}

const kinds = (kind: PropertyKind, names: string): Record<string, PropertyKind> =>
  Object.fromEntries(names.split(' ').map(name => [name, kind]));

const booleans = (names: string): Record<string, PropertyKind> => kinds('boolean', names);
const numbers = (names: string): Record<string, PropertyKind> => kinds('number', names);

const NIC_MODELS =
  'e1000 e1000-82540em e1000-82544gc e1000-82545em e1000e i82551 i82557b i82559er ne2k_isa ne2k_pci pcnet rtl8139 virtio vmxnet3';

const NET: PropertyTable = {
  defaultKey: 'model',
  keys: { ...booleans('firewall host-tunnel link_down'), ...numbers('mtu queues rate tag'), macaddr: 'mac' },
  spread: { names: NIC_MODELS.split(' '), nameKey: 'model', valueKey: 'macaddr' },
};

const DRIVE: PropertyTable = {
  defaultKey: 'file',
  aliases: {
    volume: 'file',
    bps_rd_length: 'bps_rd_max_length',
    bps_wr_length: 'bps_wr_max_length',
    iops_rd_length: 'iops_rd_max_length',
    iops_wr_length: 'iops_wr_max_length',
  },
  keys: {
    ...booleans('backup detect_zeroes iothread replicate ro scsiblock shared snapshot ssd pre-enrolled-keys'),
    ...numbers('bps bps_max_length bps_rd bps_rd_max_length bps_wr bps_wr_max_length queues'),
    ...numbers('iops iops_max iops_max_length iops_rd iops_rd_max iops_rd_max_length'),
    ...numbers(
      'iops_wr iops_wr_max iops_wr_max_length mbps mbps_max mbps_rd mbps_rd_max mbps_wr mbps_wr_max',
    ),
  },
};

/** By configuration key, an index written as [n]. */
export const PROPERTY_TABLES: Record<string, PropertyTable> = {
  agent: {
    defaultKey: 'enabled',
    // PVE 9.2 calls it freeze-fs and takes the old name too; 8.4 knows only the old one
    aliases: { 'freeze-fs': 'freeze-fs-on-backup', 'guest-fsfreeze': 'freeze-fs-on-backup' },
    keys: booleans('enabled freeze-fs-on-backup fstrim_cloned_disks'),
  },
  'amd-sev': { defaultKey: 'type', keys: booleans('allow-smt kernel-hashes no-debug no-key-sharing') },
  audio0: { keys: {} },
  boot: { defaultKey: 'legacy', keys: {} },
  cicustom: { keys: {} },
  cpu: { defaultKey: 'cputype', keys: { ...booleans('hidden'), ...numbers('guest-phys-bits level') } },
  efidisk0: DRIVE,
  'hostpci[n]': { defaultKey: 'host', keys: booleans('legacy-igd pcie rombar x-vga') },
  'ide[n]': DRIVE,
  'intel-tdx': {
    defaultKey: 'type',
    keys: { ...booleans('attestation'), ...numbers('vsock-cid vsock-port') },
  },
  'ipconfig[n]': { keys: {} },
  ivshmem: { keys: numbers('size') },
  machine: { defaultKey: 'type', keys: { ...booleans('enable-s3 enable-s4'), ...numbers('aw-bits') } },
  memory: { defaultKey: 'current', keys: numbers('current') },
  'net[n]': NET,
  'numa[n]': { keys: numbers('memory') },
  rng0: { defaultKey: 'source', keys: numbers('max_bytes period') },
  'sata[n]': DRIVE,
  'scsi[n]': DRIVE,
  smbios1: { keys: booleans('base64') },
  spice_enhancements: { keys: booleans('foldersharing') },
  startup: { defaultKey: 'order', keys: numbers('order up down') },
  tpmstate0: DRIVE,
  'unused[n]': DRIVE,
  'usb[n]': { defaultKey: 'host', keys: booleans('usb3') },
  vga: { defaultKey: 'type', keys: numbers('memory') },
  'virtio[n]': DRIVE,
  'virtiofs[n]': { defaultKey: 'dirid', keys: booleans('direct-io expose-acl expose-xattr') },
  watchdog: { defaultKey: 'model', keys: {} },
};

/** The table of a configuration key such as `net0`; undefined for plain values. */
export function propertyTable(key: string): PropertyTable | undefined {
  return PROPERTY_TABLES[key] ?? PROPERTY_TABLES[key.replace(/\d+$/, '[n]')];
}

const GiB = 1024 ** 3;

/** What a named world says of a guest; the rest is as Proxmox makes it. */
export interface Wanted {
  vmid: number;
  name: string;
  node: string;
  /** Where its disk is. */
  storage: string;
  gib: number;
  cores: number;
  mib: number;
  isOff?: boolean;
  isTemplate?: boolean;
  /** Snapshots of it, from the oldest. */
  snapshots?: string[];
  /** What else its configuration says. */
  config?: Record<string, string>;
  /** What boots; absent: a Linux with an agent. */
  system?: object;
}

/** Entries of a world file. */
export interface Entries {
  guests: object[];
  volumes: object[];
}

/** So many machines and containers, as the parts of a world file. */
export function entriesOf(machines: readonly Wanted[], containers: readonly Wanted[] = []): Entries {
  const both = [...machines.map(machine), ...containers.map(container)];
  return { guests: both.map(({ guest }) => guest), volumes: both.map(({ volume }) => volume) };
}

/** A world file's word for all nodes. */
const EVERYWHERE = '*';
/** The storages of the named worlds that all nodes share. */
const SHARED = ['ceph-vm', 'nfs'];
const placeOf = ({ storage, node }: Wanted): string => (SHARED.includes(storage) ? EVERYWHERE : node);

function machine(wanted: Wanted): { guest: object; volume: object } {
  const { vmid, name, node, storage, gib, cores, mib, isOff, isTemplate, config, system, snapshots } = wanted;
  const isFile = storage === 'nfs';
  const file = `${isTemplate ? 'base' : 'vm'}-${vmid}-disk-0`;
  const disk = isFile ? `${storage}:${vmid}/${file}.qcow2` : `${storage}:${file}`;
  const settings = {
    agent: '1',
    boot: 'order=scsi0',
    cores: String(cores),
    memory: String(mib),
    name,
    net0: `virtio=${macOf(vmid)},bridge=vmbr0`,
    ostype: 'l26',
    scsi0: `${disk},size=${gib}G`,
    scsihw: 'virtio-scsi-single',
    smbios1: `uuid=${uuidOf(vmid, '4')}`,
    vmgenid: uuidOf(vmid, '5'),
    ...(isTemplate ? { template: '1' } : {}),
    ...config,
  };
  const old = snapshotsOf(snapshots, settings);
  const guest = {
    ...{ vmid, node, config: { ...settings, ...old.parent }, snapshots: old.snapshots },
    ...{ running: isOff || isTemplate ? false : { pid: 2000 + vmid }, system: system ?? {} },
  };
  return {
    guest,
    volume: { volid: disk, node: placeOf(wanted), size: gib * GiB, snapshots: snapshots ?? [] },
  };
}

function snapshotsOf(names: readonly string[] = [], config: Record<string, string>) {
  const parentOf = (index: number) => (index > 0 ? { parent: names[index - 1] } : {});
  const entries = names.map((name, index) => [name, { config, ...parentOf(index) }]);
  const last = names.at(-1);
  return { snapshots: Object.fromEntries(entries), parent: last === undefined ? {} : { parent: last } };
}

function container(wanted: Wanted): { guest: object; volume: object } {
  const { vmid, name, node, storage, gib, cores, mib, isOff, config } = wanted;
  const disk = `${storage}:subvol-${vmid}-disk-0`;
  const guest = {
    vmid,
    type: 'lxc',
    node,
    config: {
      arch: 'amd64',
      cores: String(cores),
      hostname: name,
      memory: String(mib),
      net0: `name=eth0,bridge=vmbr0,hwaddr=${macOf(vmid)},ip=dhcp,type=veth`,
      onboot: '1',
      ostype: 'debian',
      rootfs: `${disk},size=${gib}G`,
      swap: '512',
      unprivileged: '1',
      ...config,
    },
    running: isOff ? false : { pid: 2000 + vmid },
  };
  const volume = {
    volid: disk,
    node: placeOf(wanted),
    size: gib * GiB,
    content: 'rootdir',
    format: 'subvol',
  };
  return { guest, volume };
}

const hex = (vmid: number, digits: number): string => vmid.toString(16).toUpperCase().padStart(digits, '0');
const macOf = (vmid: number): string => `BC:24:11:${hex(vmid, 6).replace(/(..)(..)(..)/, '$1:$2:$3')}`;
const uuidOf = (vmid: number, kind: string): string =>
  `00000000-0000-4000-8000-${kind}${hex(vmid, 11).toLowerCase()}`;

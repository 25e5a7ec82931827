import type { Access } from './world-access';
import type { Ha } from './world-ha';

/** The whole state of the simulated cluster: plain data, so that it can be loaded, saved, compared and checked. */
export interface World {
  version: { release: string; version: string };
  cluster: { name: string; quorate: boolean } | null;
  /** The SHA-256 fingerprint of the cluster's own authority. Absent: the same for each name of a cluster. */
  authority?: string;
  nodes: Node[];
  storages: Storage[];
  volumes: Volume[];
  guests: Record<number, Guest>;
  pools: Record<string, Pool>;
  access: Access;
  ha: Ha;
  /** By vmid; the cluster's and the nodes' under `cluster` and `node/NAME`. */
  firewall: Record<string, Firewall>;
  datacenter: Record<string, string>;
  /** Devices that each node can pass on: addresses and names of mappings, `*` for any. Absent: none. */
  devices?: { pci: string[]; usb: string[] };
  /** Names for devices and directories of nodes, by kind and name. */
  mappings?: Partial<Record<MappingKind, Record<string, Mapping>>>;
  /** Jobs that back guests up, by id, and that replicate them, by `VMID-NUMBER`. Absent: none. */
  backupJobs?: Record<string, Config>;
  replicationJobs?: Record<string, Config>;
  /** By address. */
  downloads?: Record<string, Download>;
}

export type MappingKind = 'dir' | 'pci' | 'usb';

export interface Mapping {
  settings: Config;
  /** One text for each device of a node, as it was sent. */
  map: string[];
}

export interface Node {
  name: string;
  nodeid: number;
  ip: string;
  /** False: the machine is off, it left the cluster, requests to it end in 595. */
  online: boolean;
  /** False: the machine runs but its API daemons do not: 595, guests run on. */
  apiUp: boolean;
  /** True: it has left the cluster; the others see it offline, its own API still answers. */
  left?: boolean;
  bridges: string[];
  cpus: number;
  memory: number;
  bootedAt: number;
  /** The node's own options, such as its description. */
  config?: Config;
  /** Absent: UTC. */
  timezone?: string;
  /** What its resolver was told; absent: the usual name server. */
  dns?: Config;
}

export interface Storage {
  storage: string;
  type: string;
  content: string;
  /** What its definition says. */
  shared: boolean;
  /** Whether its files are the same on all nodes; absent: as the definition says. */
  everywhere?: boolean;
  path?: string;
  /** Nodes that may use it; absent: all. */
  nodes?: string[];
  enabled: boolean;
  /** Bytes. */
  total: number;
  /** What else its section of storage.cfg says, such as `vgname` or `server`. */
  options?: Config;
}

/** A file that `download-url` finds at an address. The nodes reach nothing else. */
export interface Download {
  /** Bytes of the file. */
  size: number;
  /** Bytes of the disk in it, where that is not `size`. */
  virtualSize?: number;
  /** Its content, latin1; absent: not kept, and every checksum is right. */
  text?: string;
  /** What boots from the disk in it; absent: nothing. */
  system?: GuestSystem;
}

/** One volume. On a shared storage `node` is null: it is the same volume everywhere. */
export interface Volume {
  volid: string;
  storage: string;
  node: string | null;
  content: string;
  format: string;
  /** Virtual size in bytes. */
  size: number;
  /** Bytes that the volume takes on its storage, where that is not `size`: a sparse disk, a qcow2 file. */
  filesize?: number;
  vmid?: number;
  /** The base volume's volid, for a linked clone. */
  parent?: string;
  /** Names of snapshots that live inside the volume. */
  snapshots?: string[];
  ctime: number;
  /** Content of small text or uploaded files (snippets, cloud-init ISO), latin1. */
  text?: string;
  notes?: string;
  protected?: boolean;
  /** What boots from a disk that is made of it; absent: what its guest runs, else nothing. */
  system?: GuestSystem;
}

/** Raw values as they stand in the configuration file, all text. */
export type Config = Record<string, string>;

export interface Guest {
  vmid: number;
  type: 'qemu' | 'lxc';
  node: string;
  config: Config;
  pending: Config;
  /** Keys that wait to be deleted; true: with force. */
  pendingDelete: Record<string, boolean>;
  snapshots: Record<string, Snapshot>;
  /** What runs now; null when the guest is off. */
  running: Running | null;
  /** What the guest's system does. Recordings have `none`: nothing boots, nothing answers. */
  system: GuestSystem;
  /** The cloud-init values that the generated drive holds. */
  cloudInitImage: Config | null;
  /** Values of the drive that the configuration has changed since, the old ones; absent when there is nothing to tell. */
  cloudInitChanges?: Config;
  /** What the guest agent was told to write, by path. */
  files?: Record<string, string>;
}

export interface Running {
  pid: number;
  /** When the process started, in milliseconds since the epoch. */
  since: number;
  /** When the guest's system began to boot, if that was later than the process: after a reset. */
  booted?: number;
  /** paused, prelaunch, running … as qemu says. */
  qmp: string;
  machine: string;
  /** What the guest's system made of its network cards when it booted; absent: it has not been asked. */
  cards?: GuestCard[];
  /** What the guest agent has run: the last PID, and the exit codes that nobody has asked for yet, by PID. */
  commands?: { last: number; ended: Record<number, number> };
  /** True: the guest agent has frozen the file systems. */
  frozen?: true;
}

export interface GuestCard {
  name: string;
  mac: string;
  /** In CIDR notation. */
  addresses: string[];
}

export interface GuestSystem {
  kind: 'none' | 'linux';
  bootMs: number;
  agent: boolean;
  /** How long after the boot the agent begins to answer; absent: at once. */
  agentMs?: number;
  /** What the agent answers about the network: rubbish, or cards without a usable address. Absent: what is so. */
  agentSays?: 'nonsense' | 'link-local';
  obeysShutdown: boolean;
  /** What cloud-init does at each boot, for so long after it; absent: nothing goes wrong, at once. */
  cloudInit?: { kind: 'none' | 'disabled' | 'runs'; ms: number; errors: string[] };
}

export interface Snapshot {
  config: Config;
  parent?: string;
  snaptime: number;
  description: string;
  vmstate?: string;
  snapstate?: string;
}

export interface Pool {
  comment?: string;
  vms: number[];
  storages: string[];
}

export interface Firewall {
  options: Config;
  rules: Config[];
  aliases: Record<string, Config>;
  ipsets: Record<string, { comment?: string; entries: Config[] }>;
  /** Security groups; only the cluster has them. */
  groups?: Record<string, { comment?: string; rules: Config[] }>;
}

import type { HaHome } from './ha-home';
import type { ImageFile, MachinePlan, NodeReason } from '../action';
import type { ObservedCluster, ObservedNode, VolumeUse } from '../observed';

/**
 * What a plan may stand on besides its spec and its guest, by name: what Proxmox said of it. A new rule that needs one
 * more fact: a line here, a reader in life/read-fact.ts, and a question where it is used. Each says when it is asked for.
 * A guest that is there, and of which only values change, asks for none of them: then a token of Terraform's plan is enough.
 */
export interface Fact {
  /** Of a new machine: where it goes, as what, and from what; or the plan that says why nowhere. Of the id that is free by then. */
  place: PlaceOfNew | MachinePlan;
  /** The configuration of what is cloned. Of `node/vmid`. */
  sourceConfig: Readonly<Record<string, string>>;
  /** The names of the snapshots of what is cloned, where the spec names one. Of `node/vmid`. */
  sourceSnapshots: readonly string[];
  /** A node with its bridges and storages: for a guest that moves, gets a card or a drive, or starts. Of its name. */
  node: ObservedNode;
  /** The pools that the caller sees: for a guest that is in another one than its spec says. */
  pools: readonly string[];
  /** The volumes that a node sees on a storage: for a drive that names one, and for a guest that this run stops. Of `node/storage`. */
  volumes: readonly string[];
  /** Of `pci` or `usb`: the mappings that the caller sees, each with the nodes that it names a device of. For a guest that this run stops. */
  mappings: Readonly<Record<string, readonly string[]>>;
  /** By volume that is to be attached as it is: who else has to do with it, in words. Of these volumes. */
  volumeUse: Readonly<Record<string, VolumeUse>>;
  /** The same by volume that is to be moved or deleted: as it was lately, and asked again before the write. */
  leavingUse: Readonly<Record<string, VolumeUse>>;
  /** All snapshots of a guest with a disk to be moved or deleted, each with the configuration that it keeps. */
  snapshotConfigs: readonly KeptSnapshot[];
  /** Volumes of a guest that is to be destroyed and that other guests use, each with one of them. */
  usedByOthers: readonly { volume: string; guest: string }[];
  /** What names the number of a guest that is to be destroyed elsewhere in the cluster, and goes with it. */
  elsewhere: ElsewhereFacts;
  /** Volumes of the disks of a guest that is off, or about to be worked on, that are not on their storages. Of `WHY_LOOK`. */
  goneVolumes: readonly string[];
  /** The guest's snapshots, as Proxmox lists them: where the spec takes, keeps or goes back to one, and where they go with the guest. */
  snapshots: readonly HeldSnapshot[];
  /** Whether the guest's storages can take one. */
  canSnapshot: boolean;
  /** The configuration that a snapshot to go back to keeps, without what is secret. Of its name. */
  snapshotConfig: Readonly<Record<string, string>>;
  /** What HA is told about a guest whose spec says something about HA. */
  ha: HaFacts | 'denied';
  /** The rules of HA that name a guest which is to leave HA; none where there are no rules. */
  haRules: RulesOfHa;
  /** What Proxmox says of moving a guest that is pinned to another node. */
  migration: MigrationFacts;
  /** Where ISOs of cloud-init data may be and are, of a machine with data of its own. Of the node where it is, or is to be made. */
  isos: IsoFacts;
}

export type FactName = keyof Fact;

/** How much speaks for a look at a guest's volumes. */
export const WHY_LOOK = { inDoubt: 'doubtful', afterFailedDestroy: 'after a failed destroy' } as const;

/** A fact that a plan asked for and that was not read yet. */
export interface Question {
  name: FactName;
  of: string;
}

/** The facts that were read, by name and by what they are of. What Proxmox does not tell the caller is there as undefined. */
export class KnownFacts {
  private readonly read = new Map<string, Fact[FactName] | undefined>();

  has(name: FactName, of: string): boolean {
    return this.read.has(`${name} ${of}`);
  }

  get<N extends FactName>(name: N, of = ''): Fact[N] | undefined {
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- `set` has put the fact of this name there
    return this.read.get(`${name} ${of}`) as Fact[N] | undefined;
  }

  set<N extends FactName>(name: N, of: string, fact: Fact[N] | undefined): void {
    this.read.set(`${name} ${of}`, fact);
  }
}

/** The facts that one plan is made with. It notes what was asked and is not known: then the plan is no more than a draft. */
export class Facts {
  readonly lacking: Question[] = [];
  private isClusterLacking = false;

  constructor(
    /** Undefined: what it has was judged before, with the plan that Terraform showed; or nobody judges it. */
    readonly cluster: ObservedCluster | undefined,
    private readonly known = new KnownFacts(),
  ) {}

  /** What Proxmox said. Undefined: it does not tell it, or it was not read yet; then it is, and the plan is made again. */
  ask<N extends FactName>(name: N, of = ''): Fact[N] | undefined {
    const isAsked = this.known.has(name, of) || this.lacking.some(one => one.name === name && one.of === of);
    if (!isAsked) this.lacking.push({ name, of });
    return this.known.get(name, of);
  }

  /** A node as it was read for this plan; before that, and where it is not told, as it is listed. */
  askNode(name: string): ObservedNode | undefined {
    return this.ask('node', name) ?? this.cluster?.nodes.find(node => node.name === name);
  }

  /** To be called where what was judged before is not enough: then all of the cluster is read. */
  askForCluster(): void {
    this.isClusterLacking = this.cluster === undefined;
  }

  get isEnough(): boolean {
    return this.lacking.length === 0 && !this.isClusterLacking;
  }

  /** The same facts for what is only imagined: Proxmox cannot be asked about it. */
  withoutAsking(): Facts {
    return new Facts(this.cluster, this.known);
  }

  /** Asks for what `imagined` lacks and the cluster tells. What a guest is asked, nobody answers for one that is only imagined. */
  askFor({ lacking }: Facts): void {
    lacking
      .filter(({ name }) => TOLD_BY_CLUSTER.includes(name))
      .forEach(({ name, of }) => this.ask(name, of));
  }
}

/** What is the same whether a machine is there or not. */
const TOLD_BY_CLUSTER: readonly FactName[] = [
  'node',
  'pools',
  'volumes',
  'mappings',
  'volumeUse',
  'leavingUse',
  'sourceConfig',
  'sourceSnapshots',
  'isos',
];

/** Where a new machine is made, as what number, what it is made from, and where it then goes. */
export interface PlaceOfNew {
  node: string;
  vmid: number;
  source?: CloneSource;
  /** The file that is imported. */
  image?: ImageFile;
  /** Where a clone goes right after it was made on `node`; absent: it stays. */
  destination?: string;
  /** Of each node that was looked at, why it is taken or not. */
  reasons?: () => NodeReason[];
}

/** What a machine is cloned from, as it was found. */
export interface CloneSource {
  node: string;
  vmid: number;
  name: string;
  template: boolean;
  /** The source's configuration, where it was read: then a plan also knows what the clone will differ by. */
  config?: Readonly<Record<string, string>>;
  /** It is to be made in the same run: its configuration is what its spec says, as far as that is known here. */
  isComing?: boolean;
}

/** What HA is told about a guest, by Proxmox's names; `none`: HA has nothing to do with it. */
export type HaFacts = Readonly<Record<string, string | undefined>> | 'none';

/** A rule of HA that names a guest. `isAlone`: it names no other. */
export interface NamingRule {
  rule: string;
  isAlone: boolean;
}

/** `unread`: why they could not be read, if so; then none is told. */
export interface RulesOfHa extends Pick<ElsewhereFacts, 'unread'> {
  rules: readonly NamingRule[];
}

/** What names a guest's number elsewhere. What is not told is empty here. */
export interface ElsewhereFacts {
  /** `isAlone`: its list has no other guest. */
  listedIn: readonly { job: string; isAlone: boolean }[];
  excludedFrom: readonly string[];
  replicatedBy: readonly { job: string; target: string }[];
  firewall: { rules: number; aliases: number; ipSets: number; options: readonly string[] } | undefined;
  rights: readonly { holder: string; role: string; path: string }[];
  haRules: readonly NamingRule[];
  /** What could not be read, and why, in words. */
  unread: readonly { what: string; why: string }[];
}

/** ISOs of cloud-init data, as one reading of the storages gave them. */
export interface IsoFacts {
  node: string;
  /** The storages of the node that take ISO files, as far as the cluster's spec allows them. */
  storages: readonly { name: string; shared: boolean }[];
  /** The ISOs of this machine, of all that it ever had. */
  files: readonly IsoFile[];
  /** The places of the mark that could not be read. */
  unread: readonly string[];
}

export interface IsoFile {
  /** As in the mark: a storage, or `storage@node`. */
  place: string;
  node: string;
  volume: string;
  bytes: number;
  /** Who else would miss it, in words. */
  users: readonly string[];
  /** It is on shared storage, and neither the drive nor the mark of this guest knows it: no run removes it. */
  isUnclaimed?: true;
}

/** What PVE says before a guest is moved: where it may go, and what it would take along. */
export interface MigrationFacts {
  /** Absent: not told. */
  allowedNodes: string[] | undefined;
  /** By node, what it lacks, in words. */
  lacks: Record<string, string>;
  localDisks: { volid: string; isCd: boolean; isInSnapshot: boolean }[];
  /** Devices that belong to the node. */
  localResources: string[];
  /** Devices that are mapped on several nodes; a guest that runs does not take them along. */
  mappedResources: string[];
  /** The nodes that replication jobs copy its disks to. Absent: it has none, or they are not told. */
  replicatedTo?: readonly string[];
  /** By node, why rules of HA keep the guest from it, in words. */
  barredByHa: Record<string, string>;
  /** What HA moves with it, as HA names them; whose they are does not matter to HA. */
  companions: readonly string[];
  /** Absent: HA lets it be anywhere, or that is not told. */
  haHome?: HaHome;
}

export interface KeptSnapshot {
  name: string;
  config: Readonly<Record<string, string>>;
}

export interface HeldSnapshot {
  name: string;
  parent?: string | undefined;
  /** With what we wrote below the user's text. */
  description: string;
  taken: number;
  hasMemory: boolean;
  /** PVE: while it is taken or deleted, and where that was cut short. */
  isPartial: boolean;
}

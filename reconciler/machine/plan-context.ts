import type { CloudInitTexts, ClusterSpec, SnapshotSpec } from '../../spec';
import type { ImageFile } from '../action';

/** What a machine is cloned from, as it was found. */
export interface CloneSource {
  node: string;
  vmid: number;
  name: string;
  template: boolean;
  /** The source's configuration, where it was read: then a plan also knows what the clone will differ by. */
  config?: Record<string, string>;
  /** It is to be made in the same run: its configuration is what its spec says, as far as that is known here. */
  isComing?: boolean;
}

/** What planning needs besides the spec and what was observed. Plain data; no clock, no client. */
export interface PlanContext {
  owner: string;
  /** Terraform's registry entry, if Terraform asks. */
  entry?: string;
  /** Terraform plans: which entry it is, only its apply says. */
  isOfTerraform?: boolean;
  /** Terraform's token for this apply; absent: the mark keeps its own. */
  token?: string;
  /** The name of the source that wants it; absent: it has none, and a mark keeps the one that it names. */
  sourceName?: string;
  /** The names of all sources of this run: what one of them wrote is no other's. */
  ownSources?: readonly string[];
  /** Where an absent machine is to be made, and as what; its plan needs both. */
  node?: string;
  vmid?: number;
  /** Where a clone goes right after it was made on `node`; absent: it stays. */
  destination?: string;
  /** The smbios uuid of a creation, chosen before the first request. */
  uuid: string;
  /** Needed for a creation when the spec's image is a template or a machine. */
  source?: CloneSource;
  /** Needed for a creation when the spec's image is an address: the file that is imported. */
  image?: ImageFile;
  /** Resolved and already hashed. They stand in the actions of a plan: show it by `withoutSecrets` only. */
  secrets: MachineSecrets;
  /** This run has destroyed the machine to make it anew, and it ran. */
  wasRunning?: boolean;
  /** This run has made the machine: it is not destroyed again to be made anew. */
  isMade?: boolean;
  /** This run writes its lost mark again, or has: it is not destroyed to be made anew. */
  hasHealed?: boolean;
  /** Volumes of its disks of which Proxmox said in this run that they are not there. */
  toldGone?: readonly string[];
  /** This run went back to a snapshot. */
  hasReverted?: boolean;
  /** The lines of the disks that this run has resized, as they were before; by slot. */
  resized?: Readonly<Record<string, string>>;
  clusterSpec: ClusterSpec;
  /** What PVE says about moving a guest that is not on the node where it is pinned; absent: not asked. */
  migration?: MigrationFacts;
  /** The snapshots that are wanted of the machine. */
  snapshots?: readonly WantedSnapshot[];
  /** What Proxmox says of its snapshots; absent: nothing is wanted of them, or there is no guest. */
  held?: HeldSnapshots;
  /** It is to go back to this snapshot, whatever its mark remembers. `from`: the generation that it had then. */
  revert?: { to: string; from: string | undefined };
  /** Only this is done, whatever the spec says: its wanted snapshots, or one that is deleted. */
  only?: 'snapshots' | SnapshotToDelete;
  /** What HA is told about the guest; absent: the spec says nothing of HA, or there is no guest. */
  ha?: HaFacts;
  /** What a first plan was found to stand on; absent: nothing was read. */
  facts?: PlanFacts;
  /** Where ISOs of cloud-init data may be and are; absent: not read, and nothing is done about them. */
  isos?: IsoFacts;
}

/** What HA is told about a guest, by Proxmox's names; `none`: HA has nothing to do with it. */
export type HaFacts = Readonly<Record<string, string | undefined>> | 'none';

/** What a spec refers to and does not hold. */
export interface MachineSecrets {
  readonly password?: string | undefined;
  /** The cloud-init data, with what was read from where the spec points. Absent: the spec gives none. */
  readonly data?: CloudInitTexts;
  /** The fields of cloudInit that point to where there is nothing: which, where, and why nothing was read, in words. */
  readonly missing?: readonly string[];
  /** The password, hashed with this salt; undefined: there is none. */
  hashedWith?(salt: string): string | undefined;
}

/** ISOs of cloud-init data, as one reading of the storages gave them. */
interface IsoFacts {
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
}

/** What a plan stands on besides the guest: read only where a plan needs it. What is absent was not read, or is hidden. */
export interface PlanFacts {
  /** The pools that the caller sees. */
  pools?: readonly string[];
  /** By storage: the volumes that the node sees there. */
  volumes?: Readonly<Record<string, readonly string[]>>;
  /** The guest's snapshots, each with the configuration that it keeps. */
  snapshots?: readonly KeptSnapshot[];
  /** By volume that is to be attached as it is: who else has to do with it, in words. */
  volumeUse?: Readonly<
    Record<string, { users: string[]; unread: string[]; owner?: string | undefined; isDoubtful?: true }>
  >;
  /** Volumes of a guest that is to be destroyed and that other guests use, each with one of them. */
  usedByOthers?: readonly { volume: string; guest: string }[];
  /** Volumes of the guest's disks that are not on their storages. */
  goneVolumes?: readonly string[];
  /** The snapshots that go with a guest which is destroyed. */
  listedSnapshots?: readonly { name: string; vmstate?: boolean | undefined }[];
  /** The names of the snapshots of what is cloned. */
  sourceSnapshots?: readonly string[];
}

export interface KeptSnapshot {
  name: string;
  config: Readonly<Record<string, string>>;
}

/** A snapshot that is wanted, and the Terraform registry entry that wants it, if one does. */
export type WantedSnapshot = SnapshotSpec & {
  entry?: string;
  /** One of its name that somebody else has taken does not count as it. */
  mustBeOurs?: boolean;
};

/** `ours`: only one that we have taken, for this Terraform entry where there is one. */
interface SnapshotToDelete {
  name: string;
  ours?: { entry: string | undefined };
}

/** The snapshots of a guest, as Proxmox lists them. */
interface HeldSnapshots {
  list: readonly HeldSnapshot[];
  /** Whether the guest's storages can take one; absent: not asked. */
  isPossible?: boolean;
  /** The configuration that the one keeps to which the guest is to go back, without what is secret. */
  config?: Readonly<Record<string, string>>;
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

/** How the guest came to us: it decides what of its devices belongs to the spec's names. */
export type Origin = 'blank' | 'cloned' | 'adopted' | 'kept';

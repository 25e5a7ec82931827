import type { CloudInitTexts, ClusterSpec, SnapshotSpec } from '../../spec';
import type { MachinePlan, Refusal } from '../action';
import type { ObservedMachine } from '../observed';
import type { Facts } from './facts';

/** What planning needs besides the spec and what was observed: who wants it, what this run has done, and facts. */
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
  /** The smbios uuid of a creation, chosen before the first request. */
  uuid: string;
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
  /** The snapshots that are wanted of the machine. */
  snapshots?: readonly WantedSnapshot[];
  /** It is to go back to this snapshot, whatever its mark remembers. `from`: the generation that it had then. */
  revert?: { to: string; from: string | undefined };
  /** Only this is done, whatever the spec says: its wanted snapshots, or one that is deleted. */
  only?: 'snapshots' | SnapshotToDelete;
  /** Says why a plan must not be carried out, though it could be. */
  objection?: (plan: MachinePlan, have: ObservedMachine) => Refusal[];
  facts: Facts;
}

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

/** How the guest came to us: it decides what of its devices belongs to the spec's names. */
export type Origin = 'blank' | 'cloned' | 'adopted' | 'kept';

import type { CloudInitTexts, ClusterSpec, SnapshotSpec } from '../../spec';
import type { MachinePlan, Refusal } from '../action';
import type { Identity } from '../mark/identity';
import type { ObservedMachine } from '../observed';
import type { Facts } from './facts';

/** What planning needs besides the spec and what was observed: what is wanted, what this run has done, and facts. */
export interface PlanContext {
  wanted: WantedOfPlan;
  done: Done;
  clusterSpec: ClusterSpec;
  facts: Facts;
}

/** What is wanted of a machine besides its spec, and by whom: as much of run/wanted.ts as a plan sees. */
export interface WantedOfPlan {
  identity: Identity;
  /** The name of the source that wants it. Absent: it has none, and a mark keeps the one that it names. */
  sourceName?: string;
  /** A daemon asks: its source is written at once where the mark names another one, as that one may prune the machine. */
  takesOver?: true;
  /** What the run takes for its own: what one of these sources wrote is no other's. */
  source?: { names: readonly string[] };
  /** Its spec was read in the folder of a stack: the Terraform state that holds it wants the same. */
  isOfStack?: true;
  /** Terraform's token for this apply. Absent: the mark keeps its own. */
  token?: string;
  /** Resolved and already hashed. They stand in the actions of a plan: show it by `withoutSecrets` only. */
  secrets: MachineSecrets;
  /** The snapshots that are wanted of it. */
  snapshots?: readonly WantedSnapshot[];
  /** Terraform has snapshots of it taken, by entries of their own: it must be able to have some. */
  keepsSnapshots?: boolean;
  /** It is to go back to this snapshot now, whatever its mark remembers. */
  revert?: string;
  /** Only this is done, whatever the spec says: its wanted snapshots, or one that is deleted. */
  only?: 'snapshots' | SnapshotToDelete;
  /** Says why a plan must not be carried out, though it could be. */
  objection?: (plan: MachinePlan, have: ObservedMachine, done: Done) => Refusal[];
}

/** What a run has done to a machine so far, and what it knows by that. */
export interface Done {
  /** The smbios uuid of a creation, chosen before the first request. */
  readonly uuid: string;
  /** It has begun to change something of it. A plan that has only waited is not that: what came meanwhile was in none. */
  readonly hasActed: boolean;
  /** It has destroyed the machine to make it anew, and it ran. */
  readonly wasRunning: boolean;
  /** It has made the machine: it is not destroyed again to be made anew. */
  readonly isMade: boolean;
  /** It writes its lost mark again, or has: it is not destroyed to be made anew. */
  readonly hasHealed: boolean;
  /** It went back to a snapshot. */
  readonly hasReverted: boolean;
  /** Proxmox has ended that well: it is not done again. */
  readonly isReverted: boolean;
  /** Volumes of its disks of which Proxmox said that they are not there. */
  readonly toldGone: ReadonlySet<string>;
  /** The lines of the disks that it has resized, as they were before; by slot. */
  readonly resized: Readonly<Record<string, string>>;
  /** The generation that the guest had when it was seen first: going back to a snapshot gives it another one. */
  readonly firstGeneration: string | undefined;
}

/** Of a run that has only begun. `uuid`: that of a guest which it would make. */
export function nothingDone(uuid: string): Done {
  const nothing = {
    hasActed: false,
    wasRunning: false,
    isMade: false,
    hasHealed: false,
    hasReverted: false,
    isReverted: false,
  };
  return { uuid, ...nothing, toldGone: new Set(), resized: {}, firstGeneration: undefined };
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

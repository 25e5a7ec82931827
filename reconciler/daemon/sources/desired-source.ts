import type { ClusterSpec, ClusterStatus, MachineSpec } from '../../../spec';
import type { Event } from '../../event';
import type { sourcedStates } from '../../input/sourced-states';
import type { Ids } from '../../mark/identity';
import type { Mark } from '../../mark/mark';
import type { ProxmoxIdentity } from '../../run/proxmox-identity';
import type { MachineRecord } from '../machine-record';

/** What is wanted, with the source that it is of. */
export type Sourced = Awaited<ReturnType<typeof sourcedStates>>;

/** Where the daemon reads what is wanted. Whatever becomes of it, the last good reading stays. */
export interface DesiredSource {
  /** What is wrong with all of it now; undefined: nothing. */
  readonly fault: string | undefined;
  /** The fault is only that nobody answers: what was read before may be old, or not. At the start it is waited for. */
  readonly isAway?: boolean;
  /** There may be a newer state than the one that was read: a host that takes a cluster over waits. */
  readonly mayBeOld?: boolean;
  /** Somebody may bring an older state back without a trace: what this process has not seen asked for is not pruned. */
  readonly mayGoBack?: boolean;
  /** A file of it that may be cut: what it does not name is not pruned. */
  readonly cutFile?: string | undefined;
  /** A folder of it in which nothing is: what was mounted there may be away, and what it named is not pruned. */
  readonly emptyFolder?: string | undefined;
  /** Reads it, where it has changed. Undefined: there is nothing new, or it is wrong: see `fault`. */
  readIfNew: () => Promise<Sourced | undefined>;
  /** How long it has stood as it was last read, and was good. Negative: it is not, or not read any more. */
  goodForMs: () => Promise<number>;
  /** Calls this when there may be something new: else it is asked every few seconds. */
  wakes?: (wake: () => void) => void;
  /** Whoever shows the people who wrote it what became of it. */
  readonly requester?: Requester | undefined;
}

/** Hears how what was wanted stands, and says what is to go. Nothing that it is told may throw or wait. */
export interface Requester {
  happened: (owner: string, event: Event) => void;
  /** An attempt at a machine has ended; `spec`: what it was brought to. */
  stands: (record: MachineRecord, spec: MachineSpec) => void;
  failed: (owner: string, machine: string, text: string, isRefusal: boolean) => void;
  /** `reason`: why it is out of reach; undefined: it answers. */
  clusterStands: (cluster: string, status: ClusterStatus | undefined, reason: string | undefined) => void;
  /** Which Proxmox answers at the address of a cluster: told in each round, before anything is begun there. */
  answers: (cluster: ClusterSpec, proxmox: ProxmoxIdentity) => void;
  /** Proxmox refuses the credentials of a cluster: they may have been changed. */
  refusesLogin: (cluster: string) => void;
  /** The machines of a cluster that are to go now. */
  removals: (cluster: string) => Removal[];
  /** What is asked for beside the desired states, so that it is no orphan. */
  alsoAsked: (cluster: string) => { owner: string; machines: Pick<MachineSpec, 'id' | 'formerIds'>[] }[];
}

/** A machine whose end somebody asked for. */
export interface Removal {
  owner: string;
  ids: Ids;
  /** The source that asks for it. */
  source: string;
  /** Nothing is done in any other Proxmox. Undefined: nobody knows which one it was made in. */
  proxmox: ProxmoxIdentity | undefined;
  /** The guest stays and only our mark goes. */
  retains: boolean;
  /** Whether a guest of another owner is the one that was made for it: the owner was another one then. */
  wasMade: (guest: { vmid: number; mark: Mark }) => boolean;
  /** Whether it is still asked for, read anew: nothing is destroyed by what was true before. */
  isStillAsked: () => Promise<boolean>;
  ended: (ending: RemovalEnding) => Promise<void> | void;
}

/** What became of it. `stays`: why, and what to do. `isFound`: its guest was there. */
export type RemovalEnding =
  | { kind: 'gone' | 'released'; isFound: boolean }
  /** Whoever else needs its mark: it stays as it is. */
  | { kind: 'held-elsewhere'; by: string }
  | { kind: 'stays'; why: string };

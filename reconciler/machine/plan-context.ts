import type { ClusterSpec } from '../../spec';
import type { MigrationFacts } from './migration-facts';
import type { PlanFacts } from './plan-facts';

/** What a machine is cloned from, as it was found. */
export interface CloneSource {
  node: string;
  vmid: number;
  name: string;
  template: boolean;
  /** The source's configuration, where it was read: then a plan also knows what the clone will differ by. */
  config?: Record<string, string>;
}

/** What planning needs besides the spec and what was observed. Plain data; no clock, no client. */
export interface PlanContext {
  owner: string;
  /** Terraform's registry entry, if Terraform asks. */
  entry?: string;
  /** Terraform's token for this apply; absent: the mark keeps its own. */
  token?: string;
  /** Where an absent machine is to be made, and as what; its plan needs both. */
  node?: string;
  vmid?: number;
  /** Where a clone goes right after it was made on `node`; absent: it stays. */
  destination?: string;
  /** The smbios uuid of a creation, chosen before the first request. */
  uuid: string;
  /** Needed for a creation when the spec's image is a template or a machine. */
  source?: CloneSource;
  /** Resolved and already hashed. They stand in the actions of a plan: show it by `withoutSecrets` only. */
  secrets: { readonly password?: string | undefined };
  /** This run has destroyed the machine to make it anew, and it ran. */
  wasRunning?: boolean;
  /** The lines of the disks that this run has resized, as they were before; by slot. */
  resized?: Readonly<Record<string, string>>;
  clusterSpec: ClusterSpec;
  /** What PVE says about moving a guest that is not on the node where it is pinned; absent: not asked. */
  migration?: MigrationFacts;
  /** What a first plan was found to stand on; absent: nothing was read. */
  facts?: PlanFacts;
}

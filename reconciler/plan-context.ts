import type { ClusterSpec } from '../spec';

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
  /** Chosen for a machine that is to be born; a plan for an absent machine needs both. */
  node?: string;
  vmid?: number;
  /** The smbios uuid of a birth, chosen before the first request. */
  uuid: string;
  /** Needed for a birth when the spec's image is a template or a machine. */
  source?: CloneSource;
  /** Resolved and already hashed. They stand in the actions of a plan: show it by `withoutSecrets` only. */
  secrets: { readonly password?: string | undefined };
  /** The lines of the disks that this run has resized, as they were before; by slot. */
  resized?: Readonly<Record<string, string>>;
  clusterSpec: ClusterSpec;
}

import type { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterSpec, NodeSpec } from '../../../spec';
import type { Member } from './machine-view';
import type { Taken } from '../tokens/tokens';
import type { SnapshotMember } from './snapshot-view';

/** What the stack reads of an observation. */
export type ClusterOutput = 'token' | 'refusal' | 'drift' | 'status';

/** A guest that is only read, or several by a tag. */
export interface ExistingMember {
  /** Where it stands in the program, for messages. */
  readonly path: string;
  readonly id: string;
  /** Which one is meant. */
  spec(): Taken;
}

/** What the parts of a cluster in a stack know of it. */
export interface ClusterView {
  /** The construct that the parts stand below. */
  readonly scope: Construct;
  readonly stack: TerraformStack;
  readonly name: string;
  readonly owner: string;
  /** The program line that starts the reconciler, without its verb. */
  readonly program: readonly string[];
  /** What is said about nodes, by their names. */
  readonly nodes: readonly NodeSpec[];
  /** The machines, in the order of their ids. Asked for at synth they are all. */
  readonly members: readonly Member[];
  /** The snapshots of machines, in the order of their keys. */
  readonly snapshots: readonly SnapshotMember[];
  /** The guests that are only read, in the order of their ids. */
  readonly existing: readonly ExistingMember[];
  /** The observer that all machines share which Terraform knows at plan. */
  readonly observer: { told(of: string, field: ClusterOutput): string; walk(): string };
  spec(): ClusterSpec;
}

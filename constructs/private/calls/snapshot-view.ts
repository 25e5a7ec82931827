import type { SnapshotSpec } from '../../../spec';

/** A snapshot, as the parts of its cluster know it. */
export interface SnapshotMember {
  /** Where it stands in the program, for messages. */
  readonly path: string;
  readonly name: string;
  /** The machine, by its id. */
  readonly machine: string;
  /** `<machine>.<name>`: neither holds a ".". */
  readonly key: string;
  spec(): SnapshotSpec;
}

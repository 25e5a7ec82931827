import type { Taken } from '../tokens/tokens';

/** A machine, as the parts of its cluster know it. */
export interface Member {
  /** Where it stands in the program, for messages. */
  readonly path: string;
  readonly id: string;
  readonly formerIds: readonly string[];
  /** The machines of the same cluster that it may be cloned from. */
  readonly sources: readonly string[];
  /** What is wanted. It is asked for at synth: reading a dynamic address before adds to it. */
  spec(): Taken;
  /** True when its spec holds what Terraform may know only when it applies. */
  readsManaged(): boolean;
  /** True when the program reads an address that only its guest knows. Asked for at synth. */
  readsAddress(): boolean;
}

import type { ITerraformDependable } from 'cdktf';
import type { Machine } from './machine';

/** A snapshot of a machine. All of it must be written: its name is part of its address in Terraform. */
export interface SnapshotProps {
  /** The machine that it is taken of, of the same stack. */
  readonly machine: Machine;
  /**
   * What Proxmox calls it: 2 to 40 letters, digits, "_" or "-", beginning with a letter. Another name is another
   * snapshot.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Text for people.
   * @default - none
   */
  readonly description?: string;
  /**
   * With the memory of the machine, if it runs when the snapshot is taken.
   * @default false
   */
  readonly includeMemory?: boolean;
  /**
   * What happens to it when it leaves the program, also where its machine is paused or only observed: `mode` does not
   * hold for that. It goes with its machine in any case.
   * @default 'delete'
   */
  readonly onDestroy?: 'delete' | 'keep';
  /**
   * What Terraform makes before the snapshot is taken, besides the machine: what sets the machine up, for example.
   * @default - nothing
   */
  readonly dependsOn?: readonly ITerraformDependable[];
}

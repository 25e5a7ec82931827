import type { IResolvable } from 'cdktf';

/** Membership in Proxmox's high availability. The state that it keeps is that of `power`. */
export interface HaProps {
  /**
   * The HA group that the machine is in. Proxmox VE 8 only: later ones have rules.
   * @default - not managed
   */
  readonly group?: string;
  /**
   * How often a failed start is tried again on the same node.
   * @default - not managed
   */
  readonly maxRestart?: number;
  /**
   * How often it is then tried on another node.
   * @default - not managed
   */
  readonly maxRelocate?: number;
  /**
   * Go back to its best node once that is there. Proxmox VE 9 and later.
   * @default - not managed
   */
  readonly failback?: boolean | IResolvable;
}

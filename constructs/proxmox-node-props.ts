import type { ProxmoxCluster } from './proxmox-cluster';
import type { Size } from './values/size';

/** What is said about one node. All of it must be written: placing machines needs it before Terraform runs. */
export interface ProxmoxNodeProps {
  /**
   * The cluster that the node belongs to, of the same stack.
   * @default - the only cluster of the stack
   */
  readonly cluster?: ProxmoxCluster;
  /**
   * The name that Proxmox gives the node.
   * @default - the construct's id
   */
  readonly nodeName?: string;
  /**
   * At most so many guests.
   * @default - no limit
   */
  readonly maxVMs?: number;
  /**
   * Memory that placement leaves free.
   * @default - none
   */
  readonly minFreeMemory?: Size | string | number;
  /**
   * What `placement.nodeSelector` of machines matches.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * False: nothing new is placed here.
   * @default true
   */
  readonly schedulable?: boolean;
}

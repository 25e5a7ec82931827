import type { ProxmoxCluster } from './proxmox-cluster';

/** A guest that is there: all that is said must hold for it, and one guest alone may have it. One of the three must be said. */
export interface ExistingMachineProps {
  /**
   * The guest's number. With `name` it is an error where another guest has got the number since.
   * @default - name or tag say which one it is
   */
  readonly vmid?: number;
  /**
   * The guest's name in Proxmox. Two guests of this name are an error that names both.
   * @default - vmid or tag say which one it is
   */
  readonly name?: string;
  /**
   * A tag that this guest alone carries.
   * @default - vmid or name say which one it is
   */
  readonly tag?: string;
  /**
   * The cluster that it is on.
   * @default - the only one of the stack
   */
  readonly cluster?: ProxmoxCluster;
  /**
   * What it is called in the stack: unique among the guests that the cluster's constructs read.
   * @default - the construct's id
   */
  readonly id?: string;
}

/** Guests that are there, by a tag. */
export interface ExistingMachinesProps {
  /** The tag that they carry. Templates and containers are left out. */
  readonly tag: string;
  /**
   * Fewer guests than this fail the plan.
   * @default 0
   */
  readonly atLeast?: number;
  /**
   * The cluster that they are on.
   * @default - the only one of the stack
   */
  readonly cluster?: ProxmoxCluster;
  /**
   * What they are called in the stack: unique among the guests that the cluster's constructs read.
   * @default - the construct's id
   */
  readonly id?: string;
}

import type { IResolvable, ITerraformDependable } from 'cdktf';
import type { MachineClass } from './machine-class';
import type { MachineSettingsProps } from './props/machine-settings';
import type { ProxmoxCluster } from './proxmox-cluster';

/** One machine: who it is, and everything that it may share with others. */
export interface MachineProps extends MachineSettingsProps {
  /**
   * The cluster that the machine is on, of the same stack.
   * @default - the only cluster of the stack
   */
  readonly cluster?: ProxmoxCluster;
  /**
   * The identity of the machine, and part of its address in Terraform. Another id is another machine, unless
   * `formerIds` names the one of before.
   * @default - the construct's id
   */
  readonly id?: string;
  /**
   * Ids that the machine had before, the oldest first.
   * @default - none
   */
  readonly formerIds?: readonly string[];
  /**
   * Name of the guest.
   * @default - the machine's id; a guest that is adopted keeps its own
   */
  readonly name?: string;
  /**
   * The guest's number.
   * @default - the lowest free one of the cluster's range
   */
  readonly vmid?: number;
  /**
   * Take over the guest that has this vmid, as it is.
   * @default false
   */
  readonly adopt?: boolean | IResolvable;
  /**
   * Make a template of it once it is as wanted: it is never started, and others are cloned from it, linked. Its number
   * is the highest free one of the cluster's range.
   * @default false
   */
  readonly asTemplate?: boolean;
  /**
   * A class of machines. What the machine says itself wins.
   * @default - none
   */
  readonly class?: MachineClass;
  /**
   * Fields to remove from the guest, such as "description", "cpu.limit" or "networks[lan].vlan".
   * @default - none
   */
  readonly clear?: readonly string[];
  /**
   * What Terraform makes before it makes or changes this machine. It orders nothing when things are destroyed.
   * @default - nothing but what the fields read
   */
  readonly dependsOn?: readonly ITerraformDependable[];
}

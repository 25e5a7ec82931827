import type { ITerraformDependable } from 'cdktf';
import type { Image } from './image';
import type { MachineClass } from './machine-class';
import type { ProxmoxCluster } from './proxmox-cluster';
import type { Size } from './size';

/** Everything of a machine that many machines may share. */
export interface MachineSettingsProps {
  /** @default - the reconciler chooses one */
  readonly node?: string;
  /** @default - none: only for a machine that exists */
  readonly image?: Image;
  /** @default - not managed */
  readonly cpu?: { readonly cores?: number; readonly sockets?: number; readonly type?: string };
  /** @default - not managed */
  readonly memory?: Size | string | number;
  /** @default - not managed */
  readonly description?: string;
  /** @default - not managed */
  readonly tags?: readonly string[];
}

export interface MachineProps extends MachineSettingsProps {
  /** @default - the only cluster of the stack */
  readonly cluster?: ProxmoxCluster;
  /** @default - the construct's id */
  readonly id?: string;
  /** @default - none */
  readonly class?: MachineClass;
  /** @default - none */
  readonly formerIds?: readonly string[];
  /** @default - none */
  readonly dependsOn?: readonly ITerraformDependable[];
}

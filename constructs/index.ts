/**
 * CDKTF constructs that write a spec at synth.
 *
 * This room knows cdktf and the spec. It does not know Proxmox's API; the reconciler is to it a file that
 * travels with the stack and a command line to call.
 */
export { Credentials } from './credentials';
export { SpecError } from './errors';
export { Image, type CloneKind, type CloneOptions } from './image';
export { Machine } from './machine';
export { MachineClass, type MachineClassProps } from './machine-class';
export type { MachineProps, MachineSettingsProps } from './machine-props';
export { ProxmoxCluster } from './proxmox-cluster';
export type { ProxmoxClusterProps } from './proxmox-cluster-props';
export { RemovedCluster, type RemovedClusterProps } from './removed-cluster';
export { Size } from './size';

/**
 * Makes Proxmox match a spec: observe, plan, apply.
 *
 * This room knows the spec and Proxmox's API. It does not know cdktf, the constructs or the simulator:
 * whoever speaks JSON to it can drive it. Proxmox is its only state.
 */
export { accessTo, type ClusterAccess } from './config/cluster-access';
export { destroyMachine, type DestroyOutcome } from './apply/destroy/destroy';
export { InputError, NotConvergedError, RefusedError } from './errors';
export type { Event, Report } from './event';
export { reconcileState, type Ending } from './reconcile-state';

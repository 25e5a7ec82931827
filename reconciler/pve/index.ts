/**
 * The Proxmox client: HTTP, authentication, tasks, property strings, errors.
 *
 * It knows Proxmox VE and nothing above it: no spec, no plan, no machine. Files follow the API's tree.
 */
export * from './api/access';
export * from './api/agent';
export * from './api/certificates';
export * from './api/cluster';
export * from './api/firewall';
export * from './api/ha';
export * from './api/jobs';
export * from './api/mappings';
export * from './api/node-tasks';
export * from './api/nodes';
export * from './api/pools';
export * from './api/qemu';
export * from './api/snapshots';
export * from './api/storage';
export { waitForTask, type TaskEnd, type TaskWait } from './api/task';
export { waitUntil } from './api/wait-until';
export {
  destroyHindrance,
  isOutOfRoom,
  isVolumeGone,
  lockFileHeld,
  volumesToldGone,
} from './answers/error-texts';
export { PveError, TaskError, isFailure, isOneLess, mayLackRequest, onFailure } from './answers/errors';
export type { PveErrorKind } from './answers/failure-decisions';

export { isUnsent, lookingAgain } from './http/outage';
export { patient, pause, pauseAfter, steady } from './http/pauses';
export { connect, type Answered, type Pve, type Watch } from './http/client';
export type { Credentials, PveConfig } from './http/pve-config';
export { Limit } from './http/limit';

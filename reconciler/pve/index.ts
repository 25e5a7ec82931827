/**
 * The Proxmox client: HTTP, authentication, tasks, property strings, errors.
 *
 * It knows Proxmox VE and nothing above it: no spec, no plan, no machine. Files follow the API's tree.
 */
export { connect } from './http/client';
export type { Answered, Pve } from './http/client';
export type { Credentials, PveConfig } from './http/config';
export { PveError, TaskError } from './answers/errors';
export type { PveErrorKind } from './answers/errors';
export { destroyHindrance, isOutOfRoom } from './answers/error-texts';
export { readPermissions } from './api/access';
export { readGuestFile, readInterfaces } from './api/agent';
export type { GuestInterfaces } from './api/agent';
export { listResources, readClusterStatus, readDatacenterOptions, readVersion } from './api/cluster';
export type { ClusterResources, ClusterStatus, DatacenterOptions, GuestRow, NodeRow } from './api/cluster';
export { listBridges, listGuests, listStorages, readClock } from './api/nodes';
export type { GuestOnNode, NodeStorage } from './api/nodes';
export { keyRow } from './keys/key-row';
export { parseProperties } from './keys/property-string';
export * from './api/qemu';
export {
  deleteVolume,
  downloadImage,
  listImages,
  listImports,
  listIsos,
  listVolumes,
  readUrlSize,
  uploadFile,
  uploadIso,
} from './api/storage';
export type { StorageVolume } from './api/storage';
export { changeHa, joinHa, leaveHa, readHaResource } from './api/ha';
export { joinPool, leavePool, listPools } from './api/pools';
export {
  cloneTarget,
  listActiveTasks,
  listClusterTasks,
  readCloneLogs,
  readLastTask,
  runs,
} from './api/node-tasks';
export type { ActiveTask, ClusterTask } from './api/node-tasks';
export { waitForTask } from './api/task';
export type { TaskEnd, TaskWait } from './api/task';
export { Slots } from './http/slots';
export { waitUntil } from './api/wait-until';
export { patient, pause, pauseAfter, steady } from './http/backoff';
export * from './api/snapshots';

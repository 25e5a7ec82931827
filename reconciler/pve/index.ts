/**
 * The Proxmox client: HTTP, authentication, tasks, property strings, errors.
 *
 * It knows Proxmox VE and nothing above it: no spec, no plan, no machine. Files follow the API's tree.
 */
export { connect } from './client';
export type { Pve } from './client';
export type { Credentials, PveConfig } from './config';
export { PveError, TaskError } from './errors';
export type { PveErrorKind } from './errors';
export { destroyHindrance } from './destroy-texts';
export { readPermissions } from './access';
export { readInterfaces } from './agent';
export type { GuestInterfaces } from './agent';
export { listResources, readClusterStatus, readDatacenterOptions, readVersion } from './cluster';
export type { ClusterResources, DatacenterOptions, GuestRow, NodeRow } from './cluster';
export { listBridges, listGuests, listStorages } from './nodes';
export type { GuestOnNode, NodeStorage } from './nodes';
export { parseProperties } from './property-string';
export { propertyTable } from './property-tables';
export * from './qemu';
export { listImages, listVolumes } from './storage';
export { joinPool, leavePool, listPools } from './pools';
export { cloneTarget, listActiveTasks, readCloneLogs } from './node-tasks';
export type { ActiveTask } from './node-tasks';
export type { TaskEnd, TaskWait } from './task';
export { Slots } from './slots';
export { patient, pause, pauseAfter, steady, waitUntil } from './wait-until';
export { listSnapshots, readSnapshot } from './snapshots';
export type { Snapshot } from './snapshots';

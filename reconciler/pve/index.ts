/**
 * The Proxmox client: HTTP, authentication, tasks, property strings, errors.
 *
 * It knows Proxmox VE and nothing above it: no spec, no plan, no machine. Files follow the API's tree.
 */
export { connect } from './client';
export type { Pve, PveRequest } from './client';
export type { Credentials, PveConfig } from './config';
export { PveError, TaskError } from './errors';
export type { PveParams } from './form';
export type { PveErrorKind } from './errors';

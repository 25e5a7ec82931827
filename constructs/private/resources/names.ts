/**
 * The addresses of our resources in Terraform. They derive from the names of cluster and machine alone, so that a
 * construct can move in the tree. Neither name may hold a "_", so no two addresses are the same.
 */
export const registryName = (cluster: string): string => `machines_${cluster}`;
export const revisionName = (cluster: string, machine: string): string => `machine_${cluster}_${machine}`;
export const observerName = (cluster: string, machine?: string): string =>
  machine === undefined ? `observe_${cluster}` : `observe_${cluster}_${machine}`;
export const factsName = (cluster: string, machine?: string): string =>
  machine === undefined ? `facts_${cluster}` : `facts_${cluster}_${machine}`;
export const existingName = (cluster: string, id: string): string => `existing_${cluster}_${id}`;
export const countsName = (cluster: string): string => `counts_${cluster}`;
/** Locals. */
export const idsName = (registry: string): string => `ids_${registry}`;
export const entriesName = (registry: string): string => `entries_${registry}`;
export const observedName = (cluster: string): string => `observed_${cluster}`;
export const elsewhereName = (cluster: string): string => `elsewhere_${cluster}`;
export const movedName = (cluster: string): string => `moved_${cluster}`;
export const snapshotRegistryName = (cluster: string): string => `snapshots_${cluster}`;
/** The name of a snapshot may hold a "_", and stands last. */
export const snapshotRevisionName = (cluster: string, of: { machine: string; name: string }): string =>
  `snapshot_${cluster}_${of.machine}_${of.name}`;

import type { Options, Surroundings } from '../input/surroundings';

/** The cluster that is meant where only its name is asked for. */
export function clusterNamed({ cluster }: Options, { environment }: Surroundings): string {
  return cluster ?? environment['PROXMOX_DEFAULT_CLUSTER'] ?? 'proxmox';
}

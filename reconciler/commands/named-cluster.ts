import { parseDesiredState, SPEC_VERSION, type DesiredState } from '../../spec';
import type { Options, Surroundings } from '../input/surroundings';
import { valueOf } from '../input/wire-input';

/** The cluster that is meant where only its name is asked for. */
export function clusterNamed({ cluster }: Options, { environment }: Surroundings): string {
  // an empty variable counts as absent
  return cluster ?? (environment['PROXMOX_DEFAULT_CLUSTER'] || 'proxmox');
}

/** A desired state of nothing on that cluster. Throws where a name in it is none. */
export function emptyState(owner: string, cluster: string): DesiredState {
  return valueOf(
    parseDesiredState({ version: SPEC_VERSION, owner, cluster: { name: cluster }, machines: [] }),
  );
}

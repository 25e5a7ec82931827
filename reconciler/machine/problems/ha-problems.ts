import type { MachineSpec } from '../../../spec';
import { untouched } from '../../action';
import type { ObservedCluster } from '../../observed';
import type { Problem } from '../problem';

/** What this version of Proxmox does not know of HA: 9.0 made rules of groups (behaviour.md §10). */
export function haProblems({ ha }: MachineSpec, { version }: ObservedCluster): Problem[] {
  const major = Number.parseInt(version, 10);
  if (ha === undefined || Number.isNaN(major)) return [];
  if (ha.group !== undefined && major >= 9) {
    const detail = `ha.group: Proxmox VE ${version} has no HA groups any more.`;
    const remedy =
      'Remove group: "ha: {}" alone makes the machine a member of HA. Once it is one, say which nodes it may be on by a rule of node affinity: ha-manager rules add node-affinity RULE --resources vm:ID --nodes NODE,NODE.';
    return [{ field: 'ha.group', to: ha.group, ...untouched('ha-version', detail, remedy) }];
  }
  if (ha.failback !== undefined && major < 9) {
    const detail = `ha.failback: Proxmox VE ${version} says that of a group, not of a machine.`;
    const remedy = 'Remove ha.failback, and set nofailback of the HA group.';
    return [{ field: 'ha.failback', to: String(ha.failback), ...untouched('ha-version', detail, remedy) }];
  }
  return [];
}

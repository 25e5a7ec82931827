import { flagOf, isRow, rowOf } from '../shape';
import type { Source } from './source';

/** What a whole recording needs, where, and what is missing in the file without it. */
const NEEDED: [string[], string, string][] = [
  [['VM.Audit'], '/vms', 'guests that it may not see are not in the file'],
  [['VM.GuestAgent.Audit', 'VM.Monitor'], '/vms', 'the addresses that agents tell of are not in the file'],
  [['Datastore.Audit', 'Datastore.AllocateSpace'], '/storage', 'storages and volumes are missing'],
  [['Sys.Audit'], '/', 'nodes have usual sizes, and HA and the access list are missing'],
  [['Sys.Audit'], '/access', 'users and the access list are missing'],
  [['Pool.Audit'], '/pool', 'pools are missing'],
  [['SDN.Audit', 'SDN.Use'], '/sdn', 'bridges may be missing'],
];

/**
 * Says which privileges the token lacks. Proxmox leaves out what a token may not see, without a word, so that a recording
 * would look whole.
 */
export async function tellMissingRights({ reader, remark }: Source): Promise<void> {
  const answer = await reader.get('/access/permissions');
  if (!isRow(answer)) return;
  for (const [privileges, path, missing] of NEEDED) {
    const held = privileges.some(privilege => holds(answer, path, privilege));
    if (!held) remark(`the token lacks ${privileges.join(' or ')} on ${path}: ${missing}`);
  }
}

/** What is held on a path itself, or on one above it that hands it down. */
function holds(permissions: Record<string, unknown>, path: string, privilege: string): boolean {
  const here = permissions[path];
  if (here !== undefined) return rowOf(here)[privilege] !== undefined;
  return flagOf(rowOf(permissions['/'])[privilege]);
}

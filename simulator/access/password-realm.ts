import { fail } from '../failure';
import { needQuorum } from '../cluster/quorum';
import type { World } from '../world';

/**
 * Fails unless the user's realm can keep a password for him. Those of Proxmox's own realm lie on the cluster file
 * system; the nodes' own system knows nobody but root (assumed).
 */
export function checkPasswordPlace(world: World, userid: string): void {
  const at = userid.lastIndexOf('@');
  const [name, realm] = [userid.slice(0, at), userid.slice(at + 1)];
  const type = world.access.realms[realm]?.type ?? fail(`auth domain '${realm}' does not exist`);
  if (type === 'pve') needQuorum(world, "cfs-lock 'file-priv_shadow_cfg' error: no quorum!");
  if (type === 'pam' && name !== 'root') fail(`change password failed: user '${name}' does not exist`);
}

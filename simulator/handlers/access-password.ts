import { isRootUser } from '../access/privileges';
import { getUser } from '../access/users';
import type { Call, HandlerTable } from '../call';
import { deny, fail } from '../failure';
import { own } from '../own';

function changePassword({ sim, user: asker, params }: Call): null {
  const userid = params['userid'] ?? '';
  const user = getUser(sim, userid);
  const realm = userid.slice(userid.lastIndexOf('@') + 1);
  // only root may change the password of root, or of another user of the system
  if (!isRootUser(asker) && asker !== userid && realm === 'pam') deny();
  if (!own(sim.world.access.realms, realm)) fail(`auth domain '${realm}' does not exist`);
  user.password = params['password'] ?? '';
  return null;
}

export const accessPasswordHandlers: HandlerTable = { 'PUT /access/password': changePassword };

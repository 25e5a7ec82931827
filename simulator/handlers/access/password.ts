import { isRootUser } from '../../access/privileges';
import { checkPasswordPlace } from '../../access/password-realm';
import { getUser } from '../../access/users';
import type { Call, HandlerTable } from '../../cluster/call';
import { deny } from '../../failure';

function changePassword({ sim, user: asker, params }: Call): null {
  const userid = params['userid'] ?? '';
  const user = getUser(sim, userid);
  const realm = userid.slice(userid.lastIndexOf('@') + 1);
  // only root may change the password of root, or of another user of the system
  if (!isRootUser(asker) && asker !== userid && realm === 'pam') deny();
  checkPasswordPlace(sim.world, userid);
  user.password = params['password'] ?? '';
  return null;
}

export const accessPasswordHandlers: HandlerTable = { 'PUT /access/password': changePassword };

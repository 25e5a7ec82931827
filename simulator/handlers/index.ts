import type { HandlerTable } from '../call';
import { accessAclHandlers } from './access-acl';
import { accessGroupsHandlers } from './access-groups';
import { accessPasswordHandlers } from './access-password';
import { accessRolesHandlers } from './access-roles';
import { accessTokensHandlers } from './access-tokens';
import { accessUsersHandlers } from './access-users';
import { accessDomainsHandlers } from './access-domains';
import { accessPermissionsHandlers } from './access-permissions';
import { accessTicketHandlers } from './access-ticket';
import { qemuListHandlers } from './qemu-list';
import { qemuStatusHandlers } from './qemu-status';
import { taskHandlers } from './tasks';
import { versionHandlers } from './version';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = {
  ...accessAclHandlers,
  ...accessDomainsHandlers,
  ...accessGroupsHandlers,
  ...accessPasswordHandlers,
  ...accessRolesHandlers,
  ...accessTokensHandlers,
  ...accessUsersHandlers,
  ...accessPermissionsHandlers,
  ...accessTicketHandlers,
  ...qemuListHandlers,
  ...qemuStatusHandlers,
  ...taskHandlers,
  ...versionHandlers,
};

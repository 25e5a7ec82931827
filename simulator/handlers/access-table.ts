import type { HandlerTable } from '../call';
import { accessAclHandlers } from './access-acl';
import { accessDomainsHandlers } from './access-domains';
import { accessGroupsHandlers } from './access-groups';
import { accessPasswordHandlers } from './access-password';
import { accessPermissionsHandlers } from './access-permissions';
import { accessRolesHandlers } from './access-roles';
import { accessTicketHandlers } from './access-ticket';
import { accessTokensHandlers } from './access-tokens';
import { accessUsersHandlers } from './access-users';

/** Who may log in, and who may do what. */
export const ACCESS_HANDLERS: HandlerTable = {
  ...accessAclHandlers,
  ...accessDomainsHandlers,
  ...accessGroupsHandlers,
  ...accessPasswordHandlers,
  ...accessPermissionsHandlers,
  ...accessRolesHandlers,
  ...accessTicketHandlers,
  ...accessTokensHandlers,
  ...accessUsersHandlers,
};

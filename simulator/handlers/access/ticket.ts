import { enabledUser } from '../../access/users';
import { capabilitiesOf } from '../../access/capabilities';
import { hasPrivileges } from '../../access/privileges';
import { newCsrfToken, newTicket, userOfTicket } from '../../access/ticket';
import type { Call, HandlerTable } from '../../cluster/call';
import { Failure } from '../../failure';
import { splitList } from '../../perl-text';

/** Whether this password, or an older ticket that is still valid, opens the user's door. */
function isPassword(call: Call, username: string, password: string): boolean {
  const user = enabledUser(call.sim, username);
  if (!user) return false;
  if (userOfTicket(call.sim, password) === username) return true;
  return user.password !== undefined && user.password === password;
}

function mayDo({ sim }: Call, username: string, path: string, privs: string): boolean {
  const asked = splitList(privs);
  return path.startsWith('/') && asked.length > 0 && hasPrivileges(sim, username, path, asked);
}

function login(call: Call): unknown {
  const { sim, params } = call;
  const realm = params['realm'];
  const username = `${params['username'] ?? ''}${realm === undefined ? '' : `@${realm}`}`;
  // PVE: one text for every reason, so that nobody learns which users exist
  if (!isPassword(call, username, params['password'] ?? '')) throw new Failure(401, 'authentication failure');
  const { path, privs } = params;
  const isCheck = path !== undefined && privs !== undefined && path !== '' && privs !== '';
  if (isCheck && !mayDo(call, username, path, privs)) throw new Failure(401, 'authentication failure');
  const cluster = sim.world.cluster;
  const showsCluster = cluster !== null && hasPrivileges(sim, username, '/', ['Sys.Audit']);
  return {
    username,
    // PVE: who asks whether a user may do something gets no ticket (AccessControl.pm, verify_auth)
    ...(isCheck
      ? {}
      : { ticket: newTicket(sim, username), CSRFPreventionToken: newCsrfToken(sim, username) }),
    cap: capabilitiesOf(sim.world, username),
    ...(showsCluster ? { clustername: cluster.name } : {}),
  };
}

export const accessTicketHandlers: HandlerTable = {
  'GET /access/ticket': () => null,
  'POST /access/ticket': login,
};

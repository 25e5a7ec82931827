import { fail } from '../failure';
import type { Sim } from '../cluster/sim';
import type { Token, User } from '../world-access';
import { findNamed } from '../own-keys';

/** The user, when there is one that may log in now: enabled and not expired. */
export function enabledUser(sim: Sim, userid: string): User | undefined {
  const user = findUser(sim, userid);
  if (!user?.enable) return undefined;
  const expired = user.expire !== undefined && user.expire > 0 && user.expire < sim.clock.now() / 1000;
  return expired ? undefined : user;
}

export function findUser(sim: Sim, userid: string): User | undefined {
  const { users } = sim.world.access;
  return findNamed(users, userid);
}

/** The user, or Proxmox's failure. */
export function getUser(sim: Sim, userid: string): User {
  return findUser(sim, userid) ?? fail(`no such user ('${userid}')`);
}

/** The token of a user, or Proxmox's failure for the one or the other. */
export function getToken(sim: Sim, userid: string, tokenid: string): Token {
  const { tokens } = getUser(sim, userid);
  const token = findNamed(tokens, tokenid);
  return token ?? fail(`no such token '${tokenid}' for user '${userid}'`);
}

/** The names of the groups that a user belongs to. */
export function groupsOf(sim: Sim, userid: string): string[] {
  const groups = Object.entries(sim.world.access.groups);
  return groups.filter(([, { users }]) => users.includes(userid)).map(([groupid]) => groupid);
}

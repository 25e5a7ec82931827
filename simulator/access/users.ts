import type { Sim } from '../sim';
import type { User } from '../world';

/** The user, when there is one that may log in now: enabled and not expired. */
export function enabledUser(sim: Sim, userid: string): User | undefined {
  const user = Object.hasOwn(sim.world.access.users, userid) ? sim.world.access.users[userid] : undefined;
  if (!user?.enable) return undefined;
  const expired = user.expire !== undefined && user.expire > 0 && user.expire < sim.clock.now() / 1000;
  return expired ? undefined : user;
}

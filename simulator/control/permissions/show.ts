import type { Site } from '../site';
import { pveumLines } from './pveum-lines';

/** A user, or a token of one. */
const HOLDER = /^[^\s:/!]+@[A-Za-z][\w.-]+(?:![A-Za-z][\w.-]+)?$/;

/** The least roles of everybody who asked so far, or of `user`; given to `for`, where that is said. */
export function showPermissions({ sim }: Site, query: URLSearchParams): string {
  const only = query.get('user');
  const wanted = query.get('for') ?? undefined;
  if (wanted !== undefined && !HOLDER.test(wanted))
    throw new Error(`for: '${wanted}' is no user@realm and no user@realm!token`);
  const all = sim.asked.users();
  if (all.length === 0) return '# nobody was asked for a privilege so far\n';
  const parts = (only === null ? all : [only]).map(user => {
    const asked = sim.asked.of(user);
    if (!asked)
      throw new Error(`user: '${user}' was asked for nothing so far; those who were: ${all.join(', ')}`);
    return pveumLines(sim.world, user, asked, wanted);
  });
  const left = sim.asked.usersLeft();
  if (left > 0) parts.push(`# more users came than are kept: ${left} questions of theirs are not here\n`);
  return parts.join('\n');
}

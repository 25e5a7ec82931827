import { seededRandom } from '../random';
import type { World } from '../world';
import type { User } from '../world-access';

const ROOT = 'root@pam';

/** Makes sure that root can log in, with this password and with a token that may do all that he may. */
export function openForRoot(world: World, password: string | undefined, seed: number): Login {
  const root: User = (world.access.users[ROOT] ??= { enable: true, tokens: {} });
  root.password = password ?? root.password ?? 'simulated';
  const full = Object.entries(root.tokens).find(([, { privsep }]) => !privsep);
  const [tokenId, token] = full ?? ['simulator', { value: seededRandom(seed).uuid(), privsep: false }];
  root.tokens[tokenId] = token;
  return { user: ROOT, password: root.password, tokenId: `${ROOT}!${tokenId}`, tokenSecret: token.value };
}

export interface Login {
  user: string;
  password: string;
  tokenId: string;
  tokenSecret: string;
}

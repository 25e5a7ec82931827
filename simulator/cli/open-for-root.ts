import { randomUUID } from 'node:crypto';
import { isLoopback } from '../api/shown-url';
import { seededRandom } from '../random';
import type { World } from '../world';
import type { User } from '../world-access';
import type { CliOptions } from './options';

const ROOT = 'root@pam';

/**
 * Makes sure that root can log in, with this password and with a token that may do all that he may. On loopback the token
 * follows the seed; where others reach it, what everybody can work out is no secret: it is random then.
 */
export function openForRoot(world: World, options: Pick<CliOptions, 'password' | 'seed' | 'host'>): Login {
  const root: User = (world.access.users[ROOT] ??= { enable: true, tokens: {} });
  root.password = options.password ?? root.password ?? 'simulated';
  const full = Object.entries(root.tokens).find(([, { privsep }]) => !privsep);
  const guessed = seededRandom(options.seed).uuid();
  const [tokenId, token] = full ?? ['simulator', { value: guessed, privsep: false }];
  // also one that a run on loopback left in the state file
  if (token.value === guessed && !isLoopback(options.host)) token.value = randomUUID();
  root.tokens[tokenId] = token;
  return { user: ROOT, password: root.password, tokenId: `${ROOT}!${tokenId}`, tokenSecret: token.value };
}

export interface Login {
  user: string;
  password: string;
  tokenId: string;
  tokenSecret: string;
}

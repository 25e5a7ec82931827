import { unescapePercent } from '../../wire/percent';
import type { Exchange } from './exchange';

const NO_TICKET = 'ticket:replaced';

/** Who sent a request, in the words of FORMAT.md. `secret` is that of a token, to find where it came from. */
export function whoSent({ headers, status }: Exchange): { as: string; secret?: string; user?: string } {
  const read = (name: string): string => String(headers[name] ?? '');
  const cookie = /(?:^|[\s;])PVEAuthCookie=([^;\s]*)/.exec(`${read('cookie')};${read('authorization')}`)?.[1];
  if (cookie !== undefined && cookie !== '') {
    const user = /^PVE:(\S+?):[0-9A-F]{8}::/.exec(unescapePercent(cookie))?.[1];
    // a login that was refused is not used again: the player has one that is taken
    if (user === undefined || status === 401) return { as: NO_TICKET };
    return { as: user === 'root@pam' ? 'root' : `user:${user}`, user };
  }
  const [, id, secret] = /PVEAPIToken[=\s]([^\s=;]+![^\s=;]+)=([^\s;]+)/.exec(read('authorization')) ?? [];
  if (id === undefined || secret === undefined) return { as: 'none' };
  return status === 401
    ? { as: `token:${id}=00000000-0000-4000-8000-000000000000` }
    : { as: `token:${id}`, secret };
}

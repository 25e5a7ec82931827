import type { Token } from '../world-access';

/** A token as Proxmox shows it, without its secret. */
export function showToken({ privsep, expire, comment }: Token): Record<string, unknown> {
  return {
    privsep: privsep ? 1 : 0,
    expire: expire ?? 0,
    ...(comment === undefined || comment === '' ? {} : { comment }),
  };
}

import type { PveConfig } from '../../../reconciler/pve/http/config';

/** The token that the lab's cluster knows. */
export const LAB_TOKEN = { id: 'root@pam!lab', secret: 'secret' };

/** Somebody else, who may do everything too. */
export const LAB_ADMIN = { id: 'root@pam!admin', secret: 'admin-secret' };

/** Root himself: Proxmox takes some keys from no token. */
export const LAB_ROOT = { username: 'root@pam', password: 'root-password' };

/** How to reach a lab's cluster; it is polled often, because its tasks are short. */
export function labConnection(
  endpoint: string,
  ca: string,
  pollMs = 10,
  as: 'token' | 'root' = 'token',
): PveConfig {
  return {
    endpoints: [endpoint],
    credentials: as === 'root' ? { kind: 'password', ...LAB_ROOT } : { kind: 'token', ...LAB_TOKEN },
    tls: { insecure: false, ca },
    maxRequests: 8,
    requestTimeoutMs: 5_000,
    poll: { floorMs: pollMs, ceilingMs: Math.max(50, pollMs) },
  };
}

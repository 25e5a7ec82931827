import type { PveConfig } from '../../../reconciler/pve/http/config';
import { ROOT, TOKEN } from './start-cluster';

/** How to reach a lab's cluster; it is polled often, because its tasks are short. */
export function labConnection(
  endpoint: string,
  ca: string,
  pollMs = 10,
  as: 'token' | 'root' = 'token',
): PveConfig {
  return {
    endpoints: [endpoint],
    credentials: as === 'root' ? { kind: 'password', ...ROOT } : { kind: 'token', ...TOKEN },
    tls: { insecure: false, ca },
    maxRequests: 8,
    requestTimeoutMs: 5_000,
    poll: { floorMs: pollMs, ceilingMs: Math.max(50, pollMs) },
  };
}

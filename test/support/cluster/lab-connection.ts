import type { PveConfig } from '../../../reconciler/pve/http/pve-config';
import type { Simulator } from '../../../simulator';
import { ROOT, TOKEN } from './start-cluster';

/** Who asks: a token of root, root himself, or a token of somebody else. */
export type Caller = 'token' | 'root' | { id: string; secret: string };

/** How to reach a lab's cluster; it is polled often, because its tasks are short. */
export function labConnection({ url, ca }: Pick<Simulator, 'url' | 'ca'>, as: Caller): PveConfig {
  const token = as === 'token' ? TOKEN : as;
  return {
    endpoints: [url],
    credentials: token === 'root' ? { kind: 'password', ...ROOT } : { kind: 'token', ...token },
    tls: { insecure: false, ca },
    maxRequests: 8,
    // its cluster is in the same process, which a busy machine lets wait for long
    requestTimeoutMs: 60_000,
    poll: { floorMs: 10, ceilingMs: 50, cleanUpMs: 4_000 },
  };
}

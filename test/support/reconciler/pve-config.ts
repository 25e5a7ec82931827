import type { PveConfig } from '../../../reconciler/pve';

/** A client configuration for tests: a token, quick polls; say only what the test is about. */
export function pveConfig(endpoint: string, changes: Partial<PveConfig> = {}): PveConfig {
  return {
    endpoints: [endpoint],
    credentials: { kind: 'token', id: 'tester@pve!t1', secret: 'secret' },
    tls: { insecure: false },
    maxRequests: 8,
    requestTimeoutMs: 2_000,
    poll: { floorMs: 5, ceilingMs: 50 },
    ...changes,
  };
}

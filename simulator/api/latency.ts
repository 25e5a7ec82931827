import { setTimeout as sleep } from 'node:timers/promises';
import type { Before } from '../control/site';
import type { Network } from '../control/watched';

/** Whoever acts before each request, after the time that the way to a cluster takes. */
export function delayed(network: Network, before: Before = () => undefined): Before {
  return request => {
    const { latencyMs } = network;
    return latencyMs === 0 ? before(request) : sleep(latencyMs).then(() => before(request));
  };
}

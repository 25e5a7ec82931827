import { setTimeout as sleep } from 'node:timers/promises';
import type { Before } from '../control/site';

/** Whoever acts before each request, after the time that the way to a cluster takes. */
export function delayed(latencyMs: number, before: Before = () => undefined): Before {
  if (latencyMs === 0) return before;
  return async request => {
    await sleep(latencyMs);
    await before(request);
  };
}

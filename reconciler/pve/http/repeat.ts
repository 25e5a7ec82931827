import type { WireAnswer } from '../answers/read-answer';
import { PveError } from '../answers/errors';
import { REPEATING, pause, pauseAfter } from './pauses';
import type { WireRequest } from './transport';

/** How often a GET is sent again when no answer came. */
const GET_REPEATS = 5;

/**
 * Repeats while Proxmox itself has not answered and there is time. An answer of its own, also an error, ends it; so does
 * what is waited for in outage.ts.
 */
export async function repeatedly(
  { until, signal }: WireRequest & { until: number },
  isWaitedFor: (error: unknown) => boolean,
  send: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  for (let attempt = 0, pausedMs = REPEATING.floorMs; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const pauseMs = pauseAfter(pausedMs, REPEATING);
      const again = error instanceof PveError && error.kind === 'unreachable' && attempt < GET_REPEATS;
      if (!again || isWaitedFor(error) || performance.now() + pauseMs >= until) throw error;
      await pause(pauseMs, signal);
      pausedMs *= 2;
    }
  }
}

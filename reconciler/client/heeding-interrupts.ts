import { setImmediate } from 'node:timers/promises';
import type { InterruptName } from './messages';

/** What a process that was interrupted ends with. */
export const EXIT_CODES: Record<InterruptName, number> = { SIGINT: 130, SIGTERM: 143 };

/**
 * Does some work that an interrupt does not cut off: it is told by `ended`, and comes to its end, so that it lets go of
 * what it holds.
 */
export async function heedingInterrupts<T>(
  work: (ended: AbortSignal) => Promise<T>,
): Promise<{ result: T; interrupted: InterruptName | undefined }> {
  const controller = new AbortController();
  let interrupted: InterruptName | undefined;
  const interrupt = (name: InterruptName): void => {
    interrupted = name;
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const result = await work(controller.signal);
    // Node drops one that came already, and that nobody listens for when its turn comes
    await setImmediate();
    return { result, interrupted };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

import { subscribe } from 'node:diagnostics_channel';

/** Less than a client waits for a word, by so much that what was begun before has left by then (client/converse.ts). */
const LATE_MS = 8_000;

/**
 * Ends this process where it stood still for so long that a client may have left it, to do its job itself: before one
 * more request leaves. What comes back is to be called each second.
 */
export function endWhereLate(): () => void {
  let last = performance.now();
  const look = (): void => {
    if (performance.now() - last > LATE_MS) process.exit(1);
  };
  // undici says so just before it writes a request to its connection, whatever that has waited for
  subscribe('undici:client:sendHeaders', look);
  return () => {
    look();
    last = performance.now();
  };
}

import { InputError } from '../errors';

/** A disk answers in milliseconds, a slow network mount in a second. */
const MOST_MS = 10_000;

/** What the system has not answered: each holds one of the four threads with which Node reads files. */
const hanging = new Set<string>();

/** Thrown where a mount hangs. */
export class HangingError extends InputError {
  constructor(place: string) {
    super(
      `${place} does not answer within ${MOST_MS / 1000} s: its mount hangs. Look at the mount, or name another file.`,
    );
  }
}

/**
 * What is done with a place in the file system, unless its mount hangs: then it throws in a bounded time. What hangs is
 * never asked a second time beside the first, so that a thread is left for the rest.
 */
export async function answered<T>(place: string, work: () => Promise<T>): Promise<T> {
  if (hanging.has(place)) throw new HangingError(place);
  const done = work();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      hanging.add(place);
      reject(new HangingError(place));
    }, MOST_MS);
  });
  // it may come back, hours later
  const over = (): boolean => hanging.delete(place);
  void done.then(over, over);
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a mount hangs now: Node cannot end then, since it waits for its threads. */
export function isHanging(): boolean {
  return hanging.size > 0;
}

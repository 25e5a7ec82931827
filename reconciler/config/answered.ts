import { InputError } from '../errors';

/** A disk answers in milliseconds, a slow network mount in a second. */
const MOST_SECONDS = 10;

/** Node reads files, and asks for addresses by name, with four threads: what hangs must leave some of them. */
const MOST_AT_WORK = 2;

/** What the system has not answered in time: each holds a thread. A place may be in it more than once. */
const hanging = new Map<symbol, string>();

/** Who waits for a turn. */
const queue: { take: () => void; giveUp: (reason: HangingError) => void; place: string }[] = [];
let atWork = 0;

/** Thrown where a mount hangs. */
export class HangingError extends InputError {
  /** `others`: what hangs in its stead, so that this one was not asked for. */
  constructor(place: string, others: readonly string[] = []) {
    super(
      others.length === 0
        ? `${place} does not answer within ${MOST_SECONDS} s: its mount hangs. Look at the mount, or name another file.`
        : `${place} is not read: ${others.join(' and ')} did not answer within ${MOST_SECONDS} s. Look at their mount; running again is safe.`,
    );
  }
}

/**
 * What is done with a place in the file system, unless its mount hangs: then it throws in a bounded time. What hangs is
 * never asked a second time beside the first. No more than two are at work at a time; while two hang, any other place
 * throws at once, so that threads are left for the rest.
 */
export async function answered<T>(place: string, work: () => Promise<T>): Promise<T> {
  await turn(place);
  const id = Symbol(place);
  let ticks: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    // counted second by second: a process that was stopped, or was busy, for a minute has waited for one of them
    ticks = setInterval(() => {
      waited += 1;
      if (waited < MOST_SECONDS) return;
      clearInterval(ticks);
      hanging.set(id, place);
      reject(new HangingError(place));
      refuseQueued();
    }, 1000);
  });
  const done = new Promise<T>(resolve => resolve(work()));
  // it may come back, hours later
  const over = (): void => {
    hanging.delete(id);
    atWork -= 1;
    queue.shift()?.take();
  };
  void done.then(over, over);
  try {
    return await Promise.race([done, late]);
  } finally {
    clearInterval(ticks);
  }
}

/** Whether a mount hangs now: Node cannot end then, since it waits for its threads. */
export function isHanging(): boolean {
  return hanging.size > 0;
}

/** Takes one of the turns, once one is free. Throws where none will be. */
async function turn(place: string): Promise<void> {
  const why = whyNot(place);
  if (why) throw why;
  if (atWork < MOST_AT_WORK) {
    atWork += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const take = (): void => {
      atWork += 1;
      resolve();
    };
    queue.push({ take, giveUp: reject, place });
  });
}

/** Refuses those of the queue that wait in vain. */
function refuseQueued(): void {
  for (const each of queue.splice(0)) {
    const why = whyNot(each.place);
    if (why) each.giveUp(why);
    else queue.push(each);
  }
}

function whyNot(place: string): HangingError | undefined {
  const places = [...hanging.values()];
  if (places.includes(place)) return new HangingError(place);
  return places.length < MOST_AT_WORK ? undefined : new HangingError(place, [...new Set(places)]);
}

import { EXIT_CODES, onInterrupts, type InterruptName } from '../client/messages';
import { InterruptedError } from '../errors';
import type { Reporter } from '../report/reporter';
import type { Interrupted } from './verb';

/** How long a first interrupt waits for answers that are on their way. */
const GRACE_MS = 10_000;

/**
 * How often it is looked whether that time is over, and whether a machine that this run stopped is on again: that has a
 * time limit of its own.
 */
const AGAIN_MS = 500;

/** Where the interrupts of a run come from, and how one is ended that does not end by itself. */
export interface Interrupts {
  /** Calls this for each interrupt, until what comes back is called. */
  listen: (interrupt: (name: InterruptName) => void) => () => void;
  end: (code: number) => void;
  /** How long a first one waits for answers that are on their way, as it is now. */
  graceMs: () => number;
}

/** Those of a process that is this run alone. */
export const ofThisProcess: Interrupts = {
  listen: onInterrupts,
  end: code => process.exit(code),
  graceMs: () => GRACE_MS,
};

/**
 * Turns the first interrupt into an aborted signal and a report of what is under way; a second one ends the run at
 * once. A machine that this run has stopped is started again first, in the time that the verb has. `stop` gives the
 * interrupts back.
 */
export function onInterrupt(
  reporter: Reporter,
  { listen, end, graceMs }: Interrupts,
  atMost?: Interrupted,
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const interrupt = (name: InterruptName): void => {
    const code = EXIT_CODES[name];
    // a lost session may tell of itself more than once
    if (controller.signal.aborted) return name === 'SIGHUP' ? undefined : end(code);
    const works = reporter.inProgress.lines(performance.now());
    const said = works.length === 0 ? 'nothing is under way' : `under way in Proxmox:\n${works.join('\n')}`;
    const message = `${name}: nothing more is started; ${said}`;
    if (atMost?.logs) reporter.tell({ level: 'warn', message, fields: {} });
    else reporter.say('warn', message);
    controller.abort(new InterruptedError(code, atMost?.withinMs));
    const since = performance.now();
    const look = setInterval(() => {
      const ms = performance.now() - since;
      const isUp = atMost !== undefined && ms >= atMost.withinMs;
      if (!isUp && (ms < graceMs() || reporter.inProgress.mustStart)) return;
      clearInterval(look);
      end(atMost?.code ?? code);
    }, AGAIN_MS).unref();
  };
  return { signal: controller.signal, stop: listen(interrupt) };
}

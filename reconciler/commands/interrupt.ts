import { InterruptedError } from '../errors';
import type { Reporter } from '../report/reporter';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** How long a first interrupt waits for answers that are on their way. */
const GRACE_MS = 10_000;

/** How often it is then looked whether a machine that this run stopped is on again: that has a time limit of its own. */
const AGAIN_MS = 500;

/**
 * Turns the first interrupt into an aborted signal and a report of what is under way; a second one ends the process
 * at once. A machine that this run has stopped is started again first. `stop` gives the signals back.
 */
export function onInterrupt(reporter: Reporter): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const interrupt = (name: keyof typeof EXIT_CODES): void => {
    const code = EXIT_CODES[name];
    if (controller.signal.aborted) process.exit(code);
    const works = reporter.inProgress.lines(Date.now());
    const said = works.length === 0 ? 'nothing is under way' : `under way in Proxmox:\n${works.join('\n')}`;
    reporter.say('warn', `${name}: nothing more is started; ${said}`);
    controller.abort(new InterruptedError(code));
    const end = (): void => {
      if (!reporter.inProgress.mustStart) process.exit(code);
      setTimeout(end, AGAIN_MS).unref();
    };
    setTimeout(end, GRACE_MS).unref();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  const handlers = names.map(name => ({ name, handle: () => interrupt(name) }));
  handlers.forEach(({ name, handle }) => process.on(name, handle));
  return {
    signal: controller.signal,
    stop: () => handlers.forEach(({ name, handle }) => process.off(name, handle)),
  };
}

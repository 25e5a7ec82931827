import { setTimeout as pause } from 'node:timers/promises';
import { InputError } from '../../errors';
import type { Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { failureText } from '../../report/failure-text';
import { Reporter } from '../../report/reporter';

const EVERY_MS = 2_000;

/**
 * Looks again and again, and shows each look in the place of the one before, until it is interrupted: that is its end,
 * and no failure. A look that fails is shown, and the next one follows.
 */
export async function watch(
  around: Surroundings,
  look: (around: Surroundings) => Promise<unknown>,
): Promise<number> {
  const { redraw, signal } = around;
  if (redraw === undefined)
    throw new InputError('--watch needs a terminal: remove it, and run this again as often as you like.');
  while (!signal.aborted) {
    let text = '';
    const write = (more: string): void => void (text += more);
    const reporter = new Reporter({ write, level: 'warn', json: false });
    try {
      await look({ ...around, out: write, reporter });
    } catch (error) {
      write(`${failureText(error)}\n`);
    }
    if (signal.aborted) break;
    redraw(`${text}${new Date().toISOString()}: every ${EVERY_MS / 1000} s; Ctrl-C ends it.\n`);
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return EXIT.done;
}

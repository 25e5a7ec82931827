import { ALWAYS, canonical, milliseconds } from '../../../spec';
import { destroyGuest } from '../../apply/destroy/destroy-guest';
import { messageOf } from '../../errors';
import type { Run } from '../../run/run';
import { observedGuest } from '../../observe/guest';
import { changed } from '../../observe/same-guest';
import { sameMarkButLost } from '../../mark/mark';
import type { ObservedGuest } from '../../observed';
import { isFailure, lookingAgain, readConfig } from '../../pve';

/**
 * Deletes a guest that this very process made and that lost to a rival before its first configuration. `made`: as it
 * was read right after it was made. What anybody touched since, or started, stays, and is reported.
 */
export async function removeLoser(run: Run, machine: string, made: ObservedGuest): Promise<void> {
  const { pve, signal } = run;
  const guest = `guest ${made.vmid} on ${made.node}`;
  const say = (kind: 'progress' | 'warning', text: string): void => run.report({ kind, machine, text });
  const warn = (text: string): void => say('warning', text);
  const stop = (): Promise<never> => Promise.reject(changed(made, 'somebody has started it'));
  const look = async (): Promise<void> => {
    const now = observedGuest(made, await readConfig(pve, made));
    const touched = whatTouched(now, made);
    if (touched !== undefined) return warn(`${guest} is left over, and stays: ${touched}.`);
    const wait = { timeoutMs: milliseconds(ALWAYS.timeouts.destroy), signal };
    await destroyGuest(now, { run, wait, warn, stop });
    say('progress', `removed ${guest}, which it had made: another run of this machine was first`);
  };
  try {
    await lookingAgain(look);
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (error.kind !== 'not-found') warn(`${guest} is left over, and stays: ${messageOf(error)}`);
  }
}

/** What somebody did to it since. A rival's word that it lost is none of that. */
function whatTouched(now: ObservedGuest, made: ObservedGuest): string | undefined {
  if (now.lock !== undefined) return `it is locked (${now.lock})`;
  if (!now.mark || !made.mark || !sameMarkButLost(now.mark, made.mark)) {
    return 'its mark was changed';
  }
  const same = canonical(settings(now)) === canonical(settings(made));
  return same ? undefined : 'somebody has changed it';
}

function settings({ current, pending, description }: ObservedGuest): unknown {
  const { description: _, ...others } = current;
  return { others, pending, description };
}

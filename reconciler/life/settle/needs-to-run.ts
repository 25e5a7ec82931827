import { StandsStillError } from '../../errors';
import { stillnessOf } from '../../guest/stands-still';
import type { ObservedGuest } from '../../observed';
import { standingOf } from '../../outputs/read-guest';
import { powerWanted } from '../../plan/power-actions';
import type { MachineRun } from '../machine-run';

/**
 * Looks whether the guest of a machine that is as wanted stands still. Throws where the spec says that it runs; a warning
 * where the spec says nothing of its power. Lets no guest go on: only a person knows why it stands.
 */
export async function needsToRun(
  { id, pve, reporting: { warn }, wanted: { spec } }: MachineRun,
  guest: ObservedGuest,
): Promise<void> {
  const wanted = powerWanted(spec);
  if (wanted === 'stopped') return;
  const { still: word } = await standingOf(pve, guest);
  const still = stillnessOf({ ...guest, still: word });
  if (still === undefined) return;
  if (wanted === 'running') throw new StandsStillError(id, still.text, guest);
  warn(still.text);
}

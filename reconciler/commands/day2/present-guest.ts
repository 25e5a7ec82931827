import { MachineRun } from '../../life/machine-run';
import { untouched } from '../../action';
import { InputError, RefusedError } from '../../errors';
import type { ObservedGuest } from '../../observed';
import type { Run } from '../../run/run';
import type { Wanted } from '../../run/wanted';

/** Why a machine is not one to work on, and what makes it one. */
const LACKS = {
  lostMark: untouched(
    'lost-mark',
    'its mark was edited away. Its tag and its uuid still prove it.',
    'Run reconcile or an apply first: that writes the mark again.',
  ),
  absent: untouched('absent', 'the machine is not there.', 'Make it first, with reconcile or an apply.'),
  adoptable: untouched(
    'unowned',
    'the machine is still to be adopted.',
    'Adopt it first, with reconcile or an apply.',
  ),
  present: untouched(
    'unfinished',
    'its creation is not finished.',
    'Run reconcile or an apply first: that finishes it.',
  ),
};

/**
 * The guest that is the machine, proven ours; it is read again before each write. Refused where there is none.
 * `half-made`: one whose creation is not finished will do, for what changes nothing.
 */
export async function presentGuest(run: Run, wanted: Wanted, will?: 'half-made'): Promise<ObservedGuest> {
  const have = await new MachineRun(run, wanted).reader.observe();
  const isLost = have.kind === 'present' && have.lostMark !== undefined;
  if (have.kind === 'present' && !isLost && (!have.unfinished || will === 'half-made')) return have.guest;
  const refused =
    have.kind === 'refused' ? have : { kind: have.kind, ...LACKS[isLost ? 'lostMark' : have.kind] };
  const { kind: _, ...objection } = refused;
  throw new RefusedError([{ machine: wanted.spec.id, ...objection }]);
}

/** Throws where the spec says that nothing is written to the machine. */
export function needWritable({ spec: { id, mode = 'reconcile' } }: Pick<Wanted, 'spec'>): void {
  if (mode !== 'reconcile')
    throw new InputError(`"${id}" has mode: ${mode}, so that nothing is written to it. Remove mode first.`);
}

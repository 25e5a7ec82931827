import type { MachineParts } from './plan-parts';
import type { ReviewedMachine } from './review';
import { addressOf } from './words';

export type Reviewed = readonly [MachineParts, ReviewedMachine];

/** The machines whose destroy the apply runs, and refuses. */
export function refusesToDestroy([{ fate }, { verdict }]: Reviewed): boolean {
  const leaves = fate.entry === 'gone' || fate.entry === 'replaced';
  return verdict === 'refused' && leaves && fate.spared === undefined;
}

/**
 * What becomes of machines where the apply refuses a destroy. Tried with Terraform 1.11: it makes no revision before all
 * leaving entries of the registry are destroyed, and those beside the refused one are destroyed all the same. So a
 * machine whose entry is replaced goes, and nothing makes it again.
 */
export function withUnreached(reviewed: readonly Reviewed[]): Reviewed[] {
  const all = reviewed.map(([, machine]) => machine);
  return reviewed.map(([parts, machine]) => {
    const kept = reviewed.filter(one => refusesToDestroy(one) && registryOf(one[0]) === registryOf(parts));
    const isMade = parts.revision?.change.actions.includes('create') === true;
    if (kept.length === 0 || !isMade || UNTOUCHED.includes(machine.verdict)) return [parts, machine];
    const names = kept
      .map(([, one]) => addressOf(one, all))
      .sort()
      .join(', ');
    const isDestroyed =
      machine.verdict === 'rebuild' && parts.fate.entry === 'replaced' && parts.fate.spared === undefined;
    return [parts, isDestroyed ? notMadeAgain(machine, names) : unreached(machine, names)];
  });
}

const UNTOUCHED: readonly ReviewedMachine['verdict'][] = ['refused', 'forget', 'unplanned', 'destroy'];

function registryOf({ module, cluster }: MachineParts): string {
  return module === '' ? cluster : module;
}

function unreached(machine: ReviewedMachine, kept: string): ReviewedMachine {
  const note = `The apply fails at the destroy of ${kept} before it comes to this machine: nothing is done to it.`;
  const nothing = { does: [], changes: [], waiting: [], disks: undefined };
  return { ...machine, ...nothing, verdict: 'unreached', after: machine.before, notes: [note] };
}

function notMadeAgain(machine: ReviewedMachine, kept: string): ReviewedMachine {
  const note = `It is not made again: the apply fails at the destroy of ${kept} before that. The next apply creates it.`;
  return { ...machine, verdict: 'destroy', does: [], changes: [], notes: [...machine.notes, note] };
}

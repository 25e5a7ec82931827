import { untouched } from '../../action';
import { costOfPlan } from './cost';
import { lossOf } from './unshown';
import type { WantedOfPlan } from '../../machine/plan-context';

/**
 * Refuses what loses something while a file that says what is wanted may be cut short: what it does not name, such as a disk,
 * may only be missing in it. What loses nothing is done.
 */
export function noLossBy(file: string | undefined): Pick<WantedOfPlan, 'objection'> {
  if (file === undefined) return {};
  return {
    objection: (plan, have, { hasActed }) => {
      const lost = lossOf(plan, costOfPlan(plan, have) === 'rebuild', hasActed);
      if (lost === undefined) return [];
      const { changed, ...objection } = untouched(
        'file-cut',
        `${file} does not end with a line break, so that a part of it may be missing; and by what was read, ${lost}.`,
        'Look whether it is whole, and what writes it ended well; then end it with a line break.',
      );
      return [{ machine: plan.machine, ...objection, ...(!hasActed && { changed }) }];
    },
  };
}

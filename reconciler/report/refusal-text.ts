import type { Refusal } from '../action';
import { remedyText } from '../action';
import { oneLine } from './visible';

/** A refusal for people. Its remedy may be lines to copy; what it says of others stands in one. */
function refusalText(refusal: Pick<Refusal, 'detail' | 'remedy' | 'changed'>): string {
  return `${oneLine(refusal.detail)} ${remedyText(refusal).trimEnd()}`;
}

/** The refusals of a machine for people. What was changed is said once, after the last that says it. */
export function refusalTexts(refusals: readonly Refusal[]): string[] {
  return refusals.map(({ changed, ...refusal }, index) => {
    const isSaidLater = refusals
      .slice(index + 1)
      .some(later => later.machine === refusal.machine && later.changed === changed);
    return refusalText({ ...refusal, ...(changed && !isSaidLater && { changed }) });
  });
}

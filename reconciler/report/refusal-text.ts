import { remedyText, type Refusal } from '../action';
import { oneLine } from './visible';

/**
 * The refusals of a machine for people. A remedy may be lines to copy; what it says of others stands in one. What was
 * changed is said once, after the last that says it.
 */
export function refusalTexts(refusals: readonly Refusal[]): string[] {
  return refusals.map(({ machine, detail, remedy, changed }, index) => {
    const isSaidLater = refusals
      .slice(index + 1)
      .some(later => later.machine === machine && later.changed === changed);
    const said = remedyText({ remedy, ...(changed && !isSaidLater && { changed }) });
    return `${oneLine(detail)} ${said.trimEnd()}`;
  });
}

import { untouched, type MachinePlan, type Objection } from '../../action';
import { namesOf } from '../../guest/losses';

/**
 * Why a plan is refused that Terraform let be made during the apply, as the spec was not known before: nobody was shown
 * what it costs. What can be undone is done all the same. `hasActed`: its first steps were carried out, and with them what
 * was planned to follow; a rebuild names itself at once. Undefined: nothing is lost.
 */
export function unshown(plan: MachinePlan, isRebuild: boolean, hasActed: boolean): Objection | undefined {
  const lost = lossOf(plan, isRebuild, hasActed);
  if (lost === undefined) return undefined;
  const { why, detail, remedy, changed } = untouched(
    'not-shown',
    `its spec was not known until this apply, so that no plan could show that ${lost}.`,
    'Plan again: what this apply made is known then. Read what that plan shows, and apply.',
  );
  return { why, detail, remedy, ...(!hasActed && { changed }) };
}

/** What a plan loses for good, in words that follow "that". What follows its first action was planned, and judged, with it. */
export function lossOf(plan: MachinePlan, isRebuild: boolean, hasActed: boolean): string | undefined {
  if (isRebuild) return rebuiltWith(plan);
  return hasActed ? undefined : lostBy(plan);
}

function rebuiltWith({ losses }: MachinePlan): string {
  const names = losses === undefined ? [] : namesOf(losses);
  return `the machine is destroyed and made anew${names.length > 0 ? `, which takes ${names.join(', ')}` : ''}`;
}

function lostBy({ actions, losses }: MachinePlan): string | undefined {
  const back = actions.find(action => action.kind === 'roll-back');
  if (back) return `the machine goes back to snapshot ${back.name}, and loses what was written since`;
  const names = losses === undefined ? [] : namesOf(losses);
  return names.length === 0 ? undefined : `this is lost: ${names.join(', ')}`;
}

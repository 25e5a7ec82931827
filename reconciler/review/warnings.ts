import type { PlanDocument } from './plan/plan-document';
import type { MachineParts } from './plan/machine-parts';
import { blockMoved } from './plan/other-call';
import { ownerNow, ownerThen, replacementOf } from './plan/registry-entry';
import { toldOf } from './observer-answer';
import { losesDisks, type ReviewedMachine } from './review';
import { refusesToDestroy, refusesToMake, type Reviewed } from './unreached';
import { addressOf } from './words';
import type { Spared } from './plan/entry-change';

type Rule = (parts: MachineParts, machine: ReviewedMachine) => string | undefined;

const UNREAD_IMAGE =
  'No plan looks at the image of a machine that stands: look whether it is there. If it is not, the machine goes and cannot be made.';

const OF_ENTRY: Rule[] = [
  parts =>
    parts.entryChange.spared === undefined ? undefined : SPARED_TEXTS[parts.entryChange.spared](parts),
  ({ entry, entryChange, revision }, machine) => {
    const isRun = entryChange.entry === 'replaced' && entryChange.spared === undefined;
    if (!isRun || !losesDisks(machine)) return undefined;
    const isLeftOut = revision === undefined ? ', as the plan leaves that out' : '';
    const then =
      machine.verdict === 'destroy' ? `not made again${isLeftOut}.` : `made again. ${UNREAD_IMAGE}`;
    return `its registry entry is replaced (${replacementOf(entry)}): the machine is destroyed, with its disks, and ${then}`;
  },
  // a call that got another name, and stands empty under the former one
  ({ module, otherCall, entryChange }, machine) =>
    otherCall === undefined || entryChange.entry !== 'gone' || !losesDisks(machine)
      ? undefined
      : `it is destroyed with its disks, and ${otherCall} makes a new one of its id, which is empty. If ${module} is called ${otherCall} now, take ${module} out of the code and write ${blockMoved(module, otherCall)}; else move both entries of the machine (blocks moved): then it stays as it is.`,
];

const OF_REVISION: Rule[] = [
  ({ revision }, { verdict }) =>
    revision?.action_reason === 'replace_because_tainted' && verdict !== 'refused'
      ? `its last apply failed. This one completes the same machine.`
      : undefined,
  ({ entryChange, revision }) =>
    revision?.action_reason === 'replace_by_request' && entryChange.entry === 'kept'
      ? `-replace names its revision: it is applied again, and not made anew.`
      : undefined,
  ({ entryChange, revision }) =>
    revision?.change.actions.join() === 'create,delete' && entryChange.spared === undefined
      ? `create_before_destroy of a resource that reads it has spread to it. It is still changed in place; but if its entry were replaced, Terraform would not run destroy.`
      : undefined,
  parts => {
    const then = ownerThen(parts.entry);
    const now = ownerNow(parts);
    if (then === now || parts.entryChange.entry === 'gone') return undefined;
    const isReplaced = parts.entryChange.entry === 'replaced';
    const also = isReplaced ? ' No precondition stops that, as its entry is replaced.' : '';
    return `its owner was ${then}, is now ${now}. Set the owner to what it was.${also}`;
  },
  (_, { verdict, changes }) => {
    const to = changes.find(({ field }) => field === 'revertTo')?.to;
    return to === undefined || verdict === 'refused'
      ? undefined
      : `it goes back to snapshot '${to}': what was written to its disks since is lost.`;
  },
  ({ entryChange }, { verdict, before }) =>
    entryChange.entry === 'new' && before !== undefined && verdict !== 'adopt' && verdict !== 'refused'
      ? `it is new to this state, and it is there already. If another state has made it, the apply is refused.`
      : undefined,
];

/** The addresses of those that are chosen, in their order. */
function addressesOf(reviewed: readonly Reviewed[], isChosen: (one: Reviewed) => boolean): string {
  const all = reviewed.map(([, machine]) => machine);
  const chosen = reviewed.filter(isChosen).map(([, machine]) => addressOf(machine, all));
  return chosen.sort().join(', ');
}

/** A destroy that is refused comes too late for those that Terraform destroys beside it; others are not reached. */
function failingApply(reviewed: readonly Reviewed[]): string[] {
  const kept = addressesOf(reviewed, refusesToDestroy);
  const beside = addressesOf(reviewed, one => losesDisks(one[1]) && !refusesToMake(one));
  const unmade = addressesOf(reviewed, refusesToMake);
  const refused = addressesOf(reviewed, ([, { verdict }]) => verdict === 'refused');
  const missed = addressesOf(reviewed, ([, { verdict }]) => verdict === 'unreached');
  const alone = addressesOf(reviewed, ([parts]) => (toldOf(parts)?.alone ?? '') !== '');
  if (kept === '' && missed === '' && alone === '') return [];
  const whys = [
    ...(unmade === '' ? [] : [`it destroys ${unmade} and refuses to make that again`]),
    ...(kept === '' ? [] : [`it refuses to destroy ${kept}`]),
  ];
  const why = whys.length === 0 ? `it refuses ${refused}.` : `${whys.join('; ')}.`;
  const others = beside === '' ? '' : ` Terraform destroys others before it fails: ${beside}.`;
  const rest = missed === '' ? '' : ` Not reached, so nothing is done to them: ${missed}.`;
  const applied = kept === '' && rest === '' ? ' Other machines are applied.' : '';
  return [`The apply will fail: ${why}${others}${rest}${applied}`];
}

/**
 * Terraform finds such a circle only when it has planned, and the plan does not tell all that decides it: seen with
 * Terraform 1.11, and not in every such plan.
 */
function cycle(reviewed: readonly Reviewed[]): string[] {
  const leaves = ([{ entry }]: Reviewed): boolean => entry?.change.actions.join() === 'delete';
  const leaving = addressesOf(reviewed, leaves);
  const spread = addressesOf(
    reviewed,
    ([{ revision }]) => revision?.change.actions.join() === 'create,delete',
  );
  if (leaving === '' || spread === '') return [];
  const leave = `${leaving} ${reviewed.filter(leaves).length === 1 ? 'leaves' : 'leave'}`;
  return [
    `The apply may fail before it does anything, with "Error: Cycle": ${leave} while create_before_destroy has spread to ${spread}. Apply first only that ${leave}, without other changes.`,
  ];
}

/** What a person should know about a plan before it is applied. */
export function warningsOf(plan: PlanDocument, reviewed: readonly Reviewed[]): string[] {
  const all = reviewed.map(([, machine]) => machine);
  const left = addressesOf(reviewed, ([, { verdict }]) => verdict === 'unplanned');
  const isPartial = !plan.errored && (left !== '' || plan.complete === false);
  const without = left === '' ? '' : ` Left out: ${left}.`;
  return [
    ...(plan.errored ? ['The plan failed: Terraform applies nothing of it.'] : []),
    ...(isPartial
      ? [`The plan is partial, as with -target or -refresh-only.${without} Plan again without it.`]
      : []),
    ...(plan.errored ? [] : [...failingApply(reviewed), ...cycle(reviewed)]),
    ...reviewed.flatMap(([parts, machine]) =>
      [...OF_ENTRY, ...(machine.verdict === 'unreached' ? [] : OF_REVISION)].flatMap(rule => {
        const says = rule(parts, machine);
        return says === undefined ? [] : [`${addressOf(machine, all)}: ${says}`];
      }),
    ),
  ];
}

const STAYS = 'the machine stays, and nobody manages it.';
const HELD = 'the machine still belongs to the old one, and the apply is refused.';

/** Why a machine stays though its registry entry goes, and what to do instead. */
const SPARED_TEXTS: { [S in Spared]: (parts: MachineParts) => string } = {
  forgotten: parts => `a block of the code tells Terraform to forget it: ${after(parts)}`,
  tainted: parts =>
    `its registry entry is tainted, and for such a one Terraform runs no destroy: ${after(parts)} Run untaint '${parts.entry?.address ?? ''}' first.`,
  'created-first': parts =>
    `its registry entry is replaced (${replacementOf(parts.entry)}) by create_before_destroy, so Terraform runs no destroy: ${after(parts)} Take create_before_destroy out of what reads the machine.`,
  // Terraform: a destroy provisioner that is no longer in the configuration does not run
  unwritten: ({ module, otherCall }) => {
    const [gone, remedy] =
      module === ''
        ? ['its cluster', 'put a RemovedCluster in its place']
        : [`the call of ${module}`, 'put the call back with no machines'];
    const to = otherCall ?? 'its new name';
    const renamed =
      module === ''
        ? ''
        : ` If the call has another name now, write ${blockMoved(module, to)}, and it goes on there.`;
    return `${gone} is gone from the code, so Terraform runs no destroy: ${STAYS}${renamed} To destroy it with its disks, ${remedy}, apply, then remove that.`;
  },
};

/** Under another owner nobody sees the old one: a second is made. */
function after(parts: MachineParts): string {
  const isSeen = ownerThen(parts.entry) === ownerNow(parts);
  return parts.entryChange.entry === 'replaced' && isSeen ? HELD : STAYS;
}

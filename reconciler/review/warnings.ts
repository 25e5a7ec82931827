import type { PlanDocument } from './plan/document';
import type { MachineParts } from './plan/parts';
import { ownerNow, ownerThen, replacementOf } from './plan/registry-entry';
import { losesDisks, type ReviewedMachine } from './review';
import { refusesToDestroy, type Reviewed } from './unreached';
import { addressOf } from './words';
import type { Spared } from './plan/entry-change';

type Rule = (parts: MachineParts, machine: ReviewedMachine) => string | undefined;

const OF_ENTRY: Rule[] = [
  parts =>
    parts.entryChange.spared === undefined ? undefined : SPARED_TEXTS[parts.entryChange.spared](parts),
  ({ entry, entryChange, revision }, { verdict }) => {
    if (entryChange.entry !== 'replaced' || entryChange.spared !== undefined) return undefined;
    const isLeftOut = revision === undefined ? ', as the plan leaves that out' : '';
    const then = verdict === 'destroy' ? `not made again${isLeftOut}` : 'made again';
    return verdict === 'destroy' || verdict === 'rebuild'
      ? `its registry entry is replaced (${replacementOf(entry)}): the machine is destroyed, with its disks, and ${then}.`
      : undefined;
  },
];

const OF_REVISION: Rule[] = [
  ({ revision }) =>
    revision?.action_reason === 'replace_because_tainted'
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
    return then === now || parts.entryChange.entry === 'gone'
      ? undefined
      : `its owner was ${then}, is now ${now}. Set the owner to what it was.`;
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

/** A destroy that is refused comes too late for those that Terraform destroys beside it; others are not reached. */
function failingApply(reviewed: readonly Reviewed[]): string[] {
  const all = reviewed.map(([, machine]) => machine);
  const named = (machines: ReviewedMachine[]): string =>
    machines
      .map(machine => addressOf(machine, all))
      .sort()
      .join(', ');
  const kept = reviewed.filter(refusesToDestroy).map(([, machine]) => machine);
  const beside = all.filter(losesDisks);
  const refused = all.filter(({ verdict }) => verdict === 'refused');
  const why = kept.length === 0 ? `it refuses ${named(refused)}.` : `it refuses to destroy ${named(kept)}.`;
  const others = beside.length === 0 ? '' : ` Terraform destroys others before it fails: ${named(beside)}.`;
  const missed = all.filter(({ verdict }) => verdict === 'unreached');
  if (kept.length === 0 && missed.length === 0) return [];
  const rest = missed.length === 0 ? '' : ` Not reached, so nothing is done to them: ${named(missed)}.`;
  return [`The apply will fail: ${why}${others}${rest}`];
}

/**
 * Terraform finds such a circle only when it has planned, and the plan does not tell all that decides it: seen with
 * Terraform 1.11, and not in every such plan.
 */
function cycle(reviewed: readonly Reviewed[]): string[] {
  const all = reviewed.map(([, machine]) => machine);
  const named = (part: 'entry' | 'revision', actions: string): string[] =>
    reviewed
      .filter(([parts]) => parts[part]?.change.actions.join() === actions)
      .map(([, machine]) => addressOf(machine, all))
      .sort();
  const leaving = named('entry', 'delete');
  const spread = named('revision', 'create,delete');
  if (leaving.length === 0 || spread.length === 0) return [];
  const leave = `${leaving.join(', ')} ${leaving.length === 1 ? 'leaves' : 'leave'}`;
  return [
    `The apply may fail before it does anything, with "Error: Cycle": ${leave} while create_before_destroy has spread to ${spread.join(', ')}. Apply first only that ${leave}, without other changes.`,
  ];
}

/** What a person should know about a plan before it is applied. */
export function warningsOf(plan: PlanDocument, reviewed: readonly Reviewed[]): string[] {
  const all = reviewed.map(([, machine]) => machine);
  const left = all.filter(({ verdict }) => verdict === 'unplanned').map(machine => addressOf(machine, all));
  const isPartial = !plan.errored && (left.length > 0 || plan.complete === false);
  const without = left.length > 0 ? ` Left out: ${left.sort().join(', ')}.` : '';
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
  forgotten: parts => `Terraform is told to forget it: ${after(parts)}`,
  tainted: parts =>
    `its registry entry is tainted, and for such a one Terraform runs no destroy: ${after(parts)} Run untaint '${parts.entry?.address ?? ''}' first.`,
  'created-first': parts =>
    `its registry entry is replaced (${replacementOf(parts.entry)}) by create_before_destroy, so Terraform runs no destroy: ${after(parts)} Take create_before_destroy out of what reads the machine.`,
  // Terraform: a destroy provisioner that is no longer in the configuration does not run
  unwritten: ({ module }) => {
    const [gone, remedy] =
      module === ''
        ? ['its cluster', 'Put a RemovedCluster in its place']
        : [`the call of ${module}`, 'Put the call back with no machines'];
    return `${gone} is gone from the code, so Terraform runs no destroy: ${STAYS} ${remedy}, apply, then remove that.`;
  },
};

function after({ entryChange }: MachineParts): string {
  return entryChange.entry === 'replaced' ? HELD : STAYS;
}

import type { PlanDocument } from './plan-document';
import type { MachineParts } from './plan-parts';
import { ownerNow, ownerThen, replacementOf } from './registry-entry';
import type { ReviewedMachine } from './review';
import { addressOf } from './words';

type Rule = (parts: MachineParts, machine: ReviewedMachine) => string | undefined;

const RULES: Rule[] = [
  ({ entry }) => {
    const why = replacementOf(entry);
    if (why === undefined) return undefined;
    return entry?.change.actions[0] === 'create'
      ? `its registry entry is replaced (${why}) by create_before_destroy, so Terraform runs no destroy. Take create_before_destroy out of what reads the machine.`
      : `its registry entry is replaced (${why}): the machine is destroyed, with its disks, and made again.`;
  },
  ({ revision }) =>
    revision?.action_reason === 'replace_because_tainted'
      ? `its last apply failed. This one completes the same machine.`
      : undefined,
  ({ entry, revision }) =>
    revision?.action_reason === 'replace_by_request' && replacementOf(entry) === undefined
      ? `-replace names its revision: it is applied again, and not made anew.`
      : undefined,
  ({ revision }) =>
    revision?.change.actions.join() === 'create,delete'
      ? `create_before_destroy of a resource that reads it has spread to it. It is still changed in place; but if its entry were replaced, Terraform would not run destroy.`
      : undefined,
  parts => {
    const then = ownerThen(parts.entry);
    const now = ownerNow(parts);
    return then === now || parts.entry?.change.actions[0] === 'delete'
      ? undefined
      : `its owner was ${then}, is now ${now}. Set the owner to what it was.`;
  },
  ({ entry }, { verdict, before }) =>
    entry?.change.actions.join() === 'create' && before !== undefined && verdict !== 'adopt'
      ? `it is new to this state, and it is there already. If another state has made it, the apply is refused.`
      : undefined,
  ({ entry }) =>
    entry?.change.actions.join() === 'forget'
      ? `Terraform is told to forget it: the machine stays, and nobody manages it.`
      : undefined,
  // Terraform: a destroy provisioner that is no longer in the configuration does not run
  ({ entry, module }) => {
    if (entry?.action_reason !== 'delete_because_no_resource_config') return undefined;
    const [gone, remedy] =
      module === ''
        ? ['its cluster', 'Put a RemovedCluster in its place']
        : [`the call of ${module}`, 'Put the call back with no machines'];
    return `${gone} is gone from the code, so Terraform runs no destroy: the machine stays, and nobody manages it. ${remedy}, apply, then remove that.`;
  },
];

/** What a person should know about a plan before it is applied. */
export function warningsOf(plan: PlanDocument, reviewed: [MachineParts, ReviewedMachine][]): string[] {
  const all = reviewed.map(([, machine]) => machine);
  const left = all.filter(({ verdict }) => verdict === 'unplanned').map(machine => addressOf(machine, all));
  const isPartial = !plan.errored && (left.length > 0 || plan.complete === false);
  const without = left.length > 0 ? ` Left out: ${left.sort().join(', ')}.` : '';
  return [
    ...(plan.errored ? ['The plan failed: Terraform applies nothing of it.'] : []),
    ...(isPartial
      ? [`The plan is partial, as with -target or -refresh-only.${without} Plan again without it.`]
      : []),
    ...reviewed.flatMap(([parts, machine]) =>
      RULES.flatMap(rule => {
        const says = rule(parts, machine);
        return says === undefined ? [] : [`${addressOf(machine, all)}: ${says}`];
      }),
    ),
  ];
}

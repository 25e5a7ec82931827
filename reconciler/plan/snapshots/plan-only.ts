import { idsOf } from '../../mark/identity';
import type { MachineSpec } from '../../../spec';
import { emptyPlan, type Action, type MachinePlan, type Refusal } from '../../action';
import type { HeldSnapshot, PlanContext, SnapshotToDelete } from '../../machine/plan-context';
import type { ObservedGuest, ObservedMachine } from '../../observed';
import { planSnapshots } from './plan-snapshots';
import { markOfSnapshot } from './snapshot-mark';

/** What is to be done where only a machine's snapshots are asked for: its spec is not looked at. */
export function planOnly(spec: MachineSpec, have: ObservedMachine, context: PlanContext): MachinePlan {
  if (have.kind === 'refused') {
    const { kind: _, ...objection } = have;
    return { ...emptyPlan(spec.id), refusals: [{ machine: spec.id, ...objection }] };
  }
  if (have.kind !== 'present' || have.unfinished)
    return { ...emptyPlan(spec.id), refusals: [notThere(spec.id)] };
  const { guest } = have;
  const { only } = context;
  if (typeof only === 'object') return { ...emptyPlan(spec.id), ...deleting(spec, guest, only, context) };
  return { ...emptyPlan(spec.id), ...planSnapshots(spec, { ...guest, uuid: uuidOf(guest) }, context) };
}

function deleting(
  spec: MachineSpec,
  guest: ObservedGuest,
  { name, ours }: SnapshotToDelete,
  { held, owner }: PlanContext,
): Pick<MachinePlan, 'actions' | 'changes'> {
  const found = held?.list.find(each => each.name === name);
  const identity = { owner, ids: idsOf(spec) };
  if (found === undefined || (ours && !goes(found, identity, guest, ours.entry)))
    return { actions: [], changes: [] };
  const actions: Action[] = [{ kind: 'delete-snapshot', name, taken: found.taken }];
  return {
    actions,
    changes: [{ field: `snapshots[${name}]`, from: 'there', to: undefined, effect: 'live' }],
  };
}

/** Whether it is one that we have taken, for this entry, and that does not stay. */
function goes(
  found: HeldSnapshot,
  identity: { owner: string; ids: string[] },
  guest: ObservedGuest,
  entry: string | undefined,
): boolean {
  const mark = markOfSnapshot(found, identity, uuidOf(guest));
  return mark !== undefined && mark.k !== 1 && mark.e === entry;
}

function uuidOf({ mark }: ObservedGuest): string {
  return mark?.u ?? '';
}

function notThere(machine: string): Refusal {
  return {
    machine,
    why: 'absent',
    detail: 'the machine is not there, or its creation is not finished: it has no snapshots.',
    remedy: 'Make it first.',
    changed: 'nothing',
  };
}

import { idsOf } from '../../mark/identity';
import type { MachineSpec } from '../../../spec';
import { emptyPlan, untouched, type Action, type MachinePlan } from '../../action';
import type { PlanContext } from '../../machine/plan-context';
import type { ObservedMachine } from '../../observed';
import { deletedSnapshots, lossesIfAny } from '../losses-of-plan';
import { planSnapshots } from './plan-snapshots';
import { markOfSnapshot } from './snapshot-mark';

/** What is to be done where only a machine's snapshots are asked for: its spec is not looked at. */
export function planOnly(spec: MachineSpec, have: ObservedMachine, context: PlanContext): MachinePlan {
  const nothing = emptyPlan(spec.id);
  if (have.kind !== 'present' || have.unfinished) {
    const detail = 'the machine is not there, or its creation is not finished: it has no snapshots.';
    return { ...nothing, refusals: [{ machine: spec.id, ...untouched('absent', detail, 'Make it first.') }] };
  }
  const { wanted, facts } = context;
  const { only, identity } = wanted;
  const uuid = have.guest.mark?.uuid ?? '';
  if (typeof only !== 'object')
    return { ...nothing, ...planSnapshots(spec, { ...have.guest, uuid }, context) };
  const { name, ours } = only;
  const list = facts.ask('snapshots');
  const found = list?.find(each => each.name === name);
  const mark = found && markOfSnapshot(found, { owner: identity.owner, ids: idsOf(spec) }, uuid);
  // only one that we have taken, for this entry, and that does not stay
  const isLeft =
    ours !== undefined && (mark === undefined || mark.isKept === true || mark.entry !== ours.entry);
  if (found === undefined || isLeft) return nothing;
  const actions: Action[] = [{ kind: 'delete-snapshot', name, taken: found.taken }];
  return {
    ...nothing,
    actions,
    ...lossesIfAny({ volumes: [], snapshots: deletedSnapshots(actions, list) }),
    changes: [{ field: `snapshots[${name}]`, from: 'there', to: undefined, effect: 'live' }],
  };
}

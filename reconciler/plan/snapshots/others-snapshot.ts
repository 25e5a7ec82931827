import { untouched, type Refusal } from '../../action';
import type { WantedSnapshot } from '../../machine/plan-context';
import type { Mark } from '../../mark/mark';

/** Why a snapshot that is there is not the one that Terraform wants; undefined: it is. `mark`: ours, where we took it. */
export function othersSnapshot(
  machine: string,
  vmid: number,
  { name, entry, mustBeOurs }: WantedSnapshot,
  mark: Mark | undefined,
): Refusal | undefined {
  const of = `snapshot '${name}' of VM ${vmid}`;
  if (mustBeOurs === true) {
    const taker = otherTaker(mark);
    const ours = `that one: pve-reconciler snapshot delete ${machine} ${name} --spec FILE`;
    const remedy = `Give the snapshot another name, or delete ${mark ? ours : 'the one that is there'}.`;
    if (taker !== undefined) return { machine, ...untouched('exists', `${of} is there, ${taker}.`, remedy) };
  }
  if (entry === undefined || mark?.entry === undefined || mark.entry === entry) return undefined;
  const remedy = 'Use that state, or give the snapshot another name.';
  return { machine, ...untouched('other-state', `${of} belongs to another Terraform state.`, remedy) };
}

/** Who has taken it, where that was not Terraform: it would go with the construct. Terraform's own has an entry. */
function otherTaker(mark: Mark | undefined): string | undefined {
  if (mark === undefined) return 'and somebody else took it';
  if (mark.guard !== undefined) return 'and was taken before a change of the machine (snapshotBeforeChange)';
  return mark.entry === undefined ? 'and Terraform did not take it' : undefined;
}

import type { Refusal } from '../../action';
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
  const refused = (why: string, detail: string, remedy: string): Refusal => ({
    machine,
    why,
    detail,
    remedy,
    changed: 'nothing',
  });
  if (mustBeOurs === true && mark === undefined)
    return refused(
      'exists',
      `${of} is there, and somebody else took it.`,
      'Give the snapshot another name, or delete the one that is there.',
    );
  const taker = mustBeOurs === true ? otherTaker(mark) : undefined;
  if (taker !== undefined)
    return refused(
      'exists',
      `${of} is there, ${taker}.`,
      `Give the snapshot another name, or delete that one: pve-reconciler snapshot delete ${machine} ${name} --spec FILE.`,
    );
  if (entry === undefined || mark?.e === undefined || mark.e === entry) return undefined;
  return refused(
    'other-state',
    `${of} belongs to another Terraform state.`,
    'Use that state, or give the snapshot another name.',
  );
}

/** Who of us has taken it, where that was not Terraform: it would go with the construct. Terraform's own has an entry. */
function otherTaker(mark: Mark | undefined): string | undefined {
  if (mark?.z !== undefined) return 'and was taken before a change of the machine (snapshotBeforeChange)';
  return mark?.e === undefined ? 'and Terraform did not take it' : undefined;
}

import { hasUuidOf, markOf } from '../observe/guest-facts';
import { isOwnerTag, ownerTag } from '../mark/owner-tag';
import type { Mark } from '../mark/mark';
import type { ListedGuest } from '../observed';
import type { GuestConfig } from '../pve';
import type { Facts } from './facts';
import { fault, warning, type Finding } from './finding';

type Seen = { listed: ListedGuest; config: GuestConfig };
type Marked = Seen & { mark: Mark };

/** The guests that are ours or look like it: marks, copies, tags, what was left half-way. Pure. */
export function guestFindings(facts: Facts): Finding[] {
  const { guests, unread } = facts;
  const marked = guests.flatMap((seen): Marked[] => {
    const mark = markOf(seen.config);
    return mark === undefined || mark === 'damaged' ? [] : [{ ...seen, mark }];
  });
  const more = `${unread} more guests were not read: there are too many.`;
  return [
    ...guests.flatMap(unmarked),
    ...marked.flatMap(one => ofMark(one, marked)),
    ...doubled(marked),
    ...locks(facts),
    ...(unread > 0
      ? [warning('marks', more, 'plan and status look at each machine of a desired state.')]
      : []),
  ];
}

const placeOf = ({ vmid, name, node }: ListedGuest): string => `guest ${vmid} (${name ?? ''}) on ${node}`;
const nameOf = ({ o, m }: Mark): string => `machine ${m} of ${o}`;

function unmarked({ listed, config }: Seen): Finding[] {
  const mark = markOf(config);
  if (mark === 'damaged')
    return [
      fault(
        'marks',
        `${placeOf(listed)}: the last line of its description is our mark, and cannot be read.`,
        'Restore that line; or remove it with the tag pvr-…, and take the guest over with adopt.',
      ),
    ];
  if (mark !== undefined || !listed.tags.some(isOwnerTag)) return [];
  const says = `${placeOf(listed)} carries a tag of ours, and no mark: nothing proves whose it is.`;
  return [fault('marks', says, 'Take it over with pve-reconciler adopt, or remove its tag pvr-….')];
}

function ofMark({ listed, config, mark }: Marked, all: readonly Marked[]): Finding[] {
  const is = `${placeOf(listed)}, ${nameOf(mark)}`;
  if (mark.y !== undefined) return [leftOver({ listed, config, mark }, is, all)];
  if (mark.b === 1)
    return [
      warning('marks', `${is}: its making is not finished.`, 'Run reconcile or apply: that finishes it.'),
    ];
  if (!hasUuidOf(mark, config))
    return [
      warning(
        'marks',
        `${placeOf(listed)} was cloned from ${nameOf(mark)}, and carries its mark with another uuid.`,
        'To keep it, remove its tag pvr-… and the last line of its description; else remove it by hand.',
      ),
    ];
  return [...tagLost({ listed, config, mark }, is), ...leftOff({ listed, config, mark }, is)];
}

/** It lost to another guest. That one may have gone since, and then this one is all that there is of the machine. */
function leftOver({ listed, mark }: Marked, is: string, all: readonly Marked[]): Finding {
  const isMachine = all.some(
    other => other.listed.vmid === mark.y && isSameMachine(other.mark, mark) && isWhole(other),
  );
  const y = `guest ${mark.y ?? ''}`;
  if (!isMachine)
    return warning(
      'marks',
      `${is}, gave way to ${y}, which is not proven to be the machine, or is not finished.`,
      'Do not remove it. Run reconcile or apply: where the other one is gone, that finishes this guest.',
    );
  const remedy = `When no run is at work: qm destroy ${listed.vmid} --purge on ${listed.node}`;
  return warning('marks', `${is}, is left over: ${y} is the machine.`, remedy);
}

function isSameMachine(one: Mark, other: Mark): boolean {
  return one.o === other.o && one.m === other.m;
}

function isWhole({ mark, config }: Marked): boolean {
  return mark.y === undefined && mark.b === undefined && hasUuidOf(mark, config);
}

function tagLost({ listed, mark }: Marked, is: string): Finding[] {
  if (listed.tags.includes(ownerTag(mark.o, mark.m))) return [];
  return [
    warning('marks', `${is}, has lost its tag.`, 'Run reconcile or apply of its owner: that sets it again.'),
  ];
}

function leftOff({ listed, mark }: Marked, is: string): Finding[] {
  if (mark.s !== 1 || listed.power !== 'stopped') return [];
  return [
    fault(
      'marks',
      `${is}, was stopped by a run that has not started it again.`,
      'Run reconcile or apply: that starts it.',
    ),
  ];
}

function doubled(marked: readonly Marked[]): Finding[] {
  const whole = marked.filter(({ mark, config }) => mark.y === undefined && hasUuidOf(mark, config));
  return whole.flatMap((one, index) => {
    const other = whole.slice(index + 1).find(({ mark }) => isSameMachine(mark, one.mark));
    if (other === undefined) return [];
    const says = `${placeOf(one.listed)} and ${placeOf(other.listed)} both are ${nameOf(one.mark)}.`;
    return [
      fault('marks', says, "Decide which it is, and remove the last line of the other one's description."),
    ];
  });
}

function locks({ cluster, busy }: Facts): Finding[] {
  return cluster.guests
    .filter(({ lock, vmid }) => lock !== undefined && lock !== 'suspended' && !busy.has(vmid))
    .map(guest =>
      warning(
        'locks',
        `${placeOf(guest)} has the lock '${guest.lock ?? ''}', and no task runs for it that the caller may see.`,
        `If nothing works on it any more: ${guest.type === 'lxc' ? 'pct' : 'qm'} unlock ${guest.vmid} on ${guest.node}`,
      ),
    );
}

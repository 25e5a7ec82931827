import { descriptionOf, hasUuidOf, markOf } from '../observe/guest';
import { counted } from '../errors';
import { isOnlyPart } from '../observe/only-part';
import { stillnessOf } from '../guest/stands-still';
import { isOwnerTag, ownerTag } from '../mark/owner-tag';
import type { Mark } from '../mark/mark';
import { ONLY_ONE } from '../observe/refused-guest';
import type { ListedGuest } from '../observed';
import type { GuestConfig } from '../pve';
import type { Facts } from './read-facts';
import { fault, warning, type Finding } from './finding';

type Seen = { listed: ListedGuest; config: GuestConfig };
type Marked = Seen & { mark: Mark };

/** The guests that are ours or look like it: marks, copies, tags, what was left half-way. Pure. */
export function guestFindings(facts: Facts): Finding[] {
  const { guests, unread } = facts;
  const marked = guests.flatMap((seen): Marked[] => {
    const mark = markOf(seen.config);
    return mark === undefined ? [] : [{ ...seen, mark }];
  });
  const more = `${unread} more guests were not read: there are too many.`;
  const all = 'plan and status look at each machine of a desired state.';
  return [
    ...guests.flatMap(unmarked),
    ...marked.flatMap(one => ofMark(one, marked)),
    ...doubled(marked),
    ...marked.flatMap(standing),
    ...locks(facts),
    ...unseen(facts),
    ...(unread > 0 ? [warning('marks', more, all)] : []),
  ];
}

/** Which machine the tag of an unmarked guest means, only its program knows. */
const AGAIN =
  'Run reconcile or apply of its program: where its uuid still proves it, that writes the mark again. Else';

const placeOf = ({ vmid, name, node }: ListedGuest): string => `guest ${vmid} (${name ?? ''}) on ${node}`;
const nameOf = ({ owner, machine }: Mark): string => `machine ${machine} of ${owner}`;

function unmarked({ listed, config }: Seen): Finding[] {
  const { mark, isDamaged } = descriptionOf(config);
  if (isDamaged) {
    const says = `${placeOf(listed)}: our mark in its notes cannot be read.`;
    const remedy = `${AGAIN} restore that line; or remove it with the tag pvr-…, and take the guest over with adopt.`;
    return [fault('marks', says, remedy)];
  }
  if (mark !== undefined || !listed.tags.some(isOwnerTag)) return [];
  const says = `${placeOf(listed)} carries a tag of ours, and no mark.`;
  const remedy = `${AGAIN} take it over with pve-reconciler adopt, or remove its tag pvr-….`;
  return [fault('marks', says, remedy)];
}

function ofMark(one: Marked, all: readonly Marked[]): Finding[] {
  const { listed, config, mark } = one;
  const is = `${placeOf(listed)}, ${nameOf(mark)}`;
  if (mark.replacedBy !== undefined) return [leftOver(one, is, all)];
  const finish = 'Run reconcile or apply: that finishes it.';
  if (mark.isUnfinished === true) return [warning('marks', `${is}: its making is not finished.`, finish)];
  if (!hasUuidOf(mark, config)) {
    const says = `${placeOf(listed)} was cloned from ${nameOf(mark)}, or its uuid was changed: it carries the mark with another uuid.`;
    const remedy =
      'Where it is the machine itself, its plan says what to do. To keep a clone, remove its tag pvr-… and, in its notes, the line that begins with <!-- pvr:. Only a clone that nobody needs is removed by hand.';
    return [warning('marks', says, remedy)];
  }
  return [...tagLost(one, is), ...leftOff(one, is)];
}

/** It lost to another guest. That one may have gone since, and then this one is all that there is of the machine. */
function leftOver({ listed, mark }: Marked, is: string, all: readonly Marked[]): Finding {
  const isMachine = all.some(
    other => other.listed.vmid === mark.replacedBy && isSameMachine(other.mark, mark) && isWhole(other),
  );
  const y = `guest ${mark.replacedBy ?? ''}`;
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
  return one.owner === other.owner && one.machine === other.machine;
}

function isWhole({ mark, config }: Marked): boolean {
  return mark.replacedBy === undefined && mark.isUnfinished === undefined && hasUuidOf(mark, config);
}

function tagLost({ listed, mark }: Marked, is: string): Finding[] {
  if (listed.tags.includes(ownerTag(mark.owner, mark.machine))) return [];
  const remedy = 'Run reconcile or apply of its owner: that sets it again.';
  return [warning('marks', `${is}, has lost its tag.`, remedy)];
}

function leftOff({ listed, mark }: Marked, is: string): Finding[] {
  if (mark.isRestarting !== true || listed.power !== 'stopped') return [];
  const says = `${is}, was stopped by a run that has not started it again.`;
  return [fault('marks', says, 'Run reconcile or apply: that starts it.')];
}

/** It runs by Proxmox's word, and does nothing. What somebody wanted so is only a warning. */
function standing({ listed, config, mark }: Marked): Finding[] {
  const { vmid, node, lock, still } = listed;
  const seen = stillnessOf({ vmid, node, lock, still, current: config.current, mark });
  if (seen === undefined || !hasUuidOf(mark, config)) return [];
  const says = `${placeOf(listed)}, ${nameOf(mark)}, ${seen.says}`;
  return [(seen.isFault ? fault : warning)('power', says, seen.remedy)];
}

function doubled(marked: readonly Marked[]): Finding[] {
  const whole = marked.filter(({ mark, config }) => mark.replacedBy === undefined && hasUuidOf(mark, config));
  return whole.flatMap((one, index) => {
    const other = whole.slice(index + 1).find(({ mark }) => isSameMachine(mark, one.mark));
    if (other === undefined) return [];
    const says = `${placeOf(one.listed)} and ${placeOf(other.listed)} both are ${nameOf(one.mark)}.`;
    const remedy = ONLY_ONE;
    return [fault('marks', says, remedy)];
  });
}

/** Nobody can say of them that nothing is wrong. A guest that is hidden or gone is another case than an answer that is of no use. */
function unseen({ unseen: guests }: Facts): Finding[] {
  const isHidden = ({ error: { kind } }: Facts['unseen'][number]): boolean =>
    kind === 'denied' || kind === 'not-found';
  const hidden = guests.filter(isHidden);
  const unclear = guests.filter(one => !isHidden(one));
  const [first] = unclear;
  const grant =
    'Grant VM.Audit on /vms to who asks. A guest may also have gone or moved since it was listed: run this again.';
  return [
    ...(hidden.length === 0 ? [] : [warning('marks', notRead(hidden), grant)]),
    ...(first === undefined
      ? []
      : [warning('marks', `${notRead(unclear)} To the first: ${first.error.said}`, first.error.advice)]),
  ];
}

function notRead(guests: Facts['unseen']): string {
  const places = guests.map(({ listed }) => placeOf(listed)).join(', ');
  return `${counted(guests.length, 'guest', 'guests')} could not be read, so nothing is said of their marks: ${places}.`;
}

function locks({ cluster, busy, guests }: Facts): Finding[] {
  const configs = new Map(guests.map(({ listed, config }) => [listed.vmid, config.current]));
  return cluster.guests.flatMap(guest => {
    const { lock, vmid, node, type } = guest;
    if (lock === undefined || lock === 'suspended' || busy.has(vmid)) return [];
    const says = `${placeOf(guest)} has the lock '${lock}', and no task runs for it that the caller may see.`;
    const unlock = `${type === 'lxc' ? 'pct' : 'qm'} unlock ${vmid}`;
    const destroy = `qm destroy ${vmid} --purge`;
    // what nobody could read may be whole, but for a clone
    const isPart = type === 'qemu' && isOnlyPart(lock, configs.get(vmid) ?? { name: '' });
    const remove = isPart ? `, then ${destroy}` : '';
    const look = type === 'qemu' && lock === 'create' && !isPart ? `. ${mayBeWhole(destroy)}` : '';
    return [warning('locks', says, `If nothing works on it any more: ${unlock}${remove} on ${node}${look}`)];
  });
}

/** PVE: a restore takes the lock of a creation, too, also over a guest that was whole. */
function mayBeWhole(destroy: string): string {
  return `Look at its disks then: a restore over a guest that is whole leaves this lock, too. Only one that shows nothing but its lock is a part of a creation: ${destroy}`;
}

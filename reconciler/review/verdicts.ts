import type { Difference, Losses, Observation } from '../../spec';
import { dataLines } from './data-lines';
import { mayStand, notesOf, type Facts } from './notes';
import { runsDestroy } from './plan/entry-change';
import type { MachineParts } from './plan/machine-parts';
import { ownerNow, ownerThen } from './plan/registry-entry';
import { losesDisks, type ReviewedMachine, type ReviewVerdict } from './review';
import { specWords } from './spec-words';
import { doesWith, snapshotSteps, unseenSnapshots, withDeleted } from './snapshot-steps';
import { anotherMachine, leftBehind, type StandingGuest } from './standing-guest';
import { differenceOf, isMadeNoMore, toldOf } from './observer-answer';

/**
 * What a plan does to one machine, whose guest stands so; of its clones those that stay. A plan that failed holds no
 * revision of the machines that it refused.
 */
export function reviewMachine(
  parts: MachineParts,
  guest: StandingGuest,
  planFailed: boolean,
): ReviewedMachine {
  const told = guest.goesBefore ? undefined : toldOf(parts);
  const words = specWords(parts);
  const facts = { parts, told, guest, words };
  const alone = verdictOf(facts, planFailed);
  const difference = differenceOf(NOT_APPLIED.includes(alone) ? undefined : told);
  const snapshots = snapshotSteps({ snapshots: parts.snapshots, guest, difference }, alone);
  const verdict = QUIET.includes(alone) && snapshots.length > 0 ? 'change' : alone;
  const { does, changes, waiting = [], node } = difference;
  const before = told?.node || (LEAVES.includes(verdict) ? guest.node : undefined);
  const losses = lossesBy(verdict, difference, guest);
  const { id, cluster, module } = parts;
  return {
    ...{ id, cluster, module },
    name: words.name ?? id,
    verdict,
    vmid: told?.vmid || (LEAVES.includes(verdict) ? guest.vmid : undefined),
    before,
    after: losesDisks({ verdict }) ? undefined : (node ?? before),
    does: doesWith(
      verdict === 'rebuild' ? ['destroying it with its disks, and creating it again'] : does,
      snapshots,
    ),
    disks: guest.disks,
    losses: losesDisks({ verdict }) && losses === undefined ? undefined : withDeleted(losses, snapshots),
    mayLose: (verdict === 'unknown' || verdict === 'unread') && mayStand(facts),
    snapshots,
    changes,
    waiting,
    notes: [
      ...notesOf({ ...facts, verdict, difference }),
      ...unseenSnapshots(snapshots, guest),
      ...(changes.length > 0 ? dataLines(parts) : []),
    ],
  };
}

/** What a machine itself loses for good, apart from what entries of its snapshots delete. */
function lossesBy(verdict: ReviewVerdict, { losses }: Difference, guest: StandingGuest): Losses | undefined {
  if (verdict === 'destroy') return guest.losses;
  if (verdict === 'rebuild') return losses ?? guest.losses;
  return LOSING.includes(verdict) ? losses : undefined;
}

/** Where nothing is refused, or only wanted. */
const LOSING: readonly ReviewVerdict[] = ['restart', 'stop', 'waits', 'change', 'adopt'];
/** Of these only a snapshot may be touched: then they are a change. */
const QUIET: readonly ReviewVerdict[] = ['unchanged', 'unplanned'];
/** What the observer says it would do is not what becomes of these. */
const NOT_APPLIED: readonly ReviewVerdict[] = ['destroy', 'forget', 'unplanned', 'unread', 'unknown'];
/** Of these the code asks for nothing, or for another guest: where the one is that stands tells the plan. */
const LEAVES: readonly ReviewVerdict[] = ['destroy', 'rebuild', 'forget', 'refused'];

const BY_EFFECT: { [E in Exclude<Observation['effect'], 'restart'>]: ReviewVerdict } = {
  none: 'unchanged',
  create: 'create',
  adopt: 'adopt',
  live: 'change',
  rebuild: 'rebuild',
  refused: 'refused',
};

function verdictOf({ parts, told, guest, words }: Facts, planFailed: boolean): ReviewVerdict {
  const { entry, revision, entryChange } = parts;
  if (entryChange.entry === 'gone') return destroyed(parts, guest);
  const isUnread = planFailed && told === undefined && parts.answers?.isLate !== true;
  if (entry === undefined) return isUnread ? 'unread' : 'unplanned';
  if (revision === undefined && !planFailed) {
    return entryChange.entry === 'replaced' ? destroyed(parts, guest) : 'unplanned';
  }
  // a replaced entry has the owner of today, so nothing refuses that; its destroy has the owner of before
  const isOtherOwner = ownerThen(entry) !== ownerNow(parts);
  if (isOtherOwner && entryChange.entry !== 'replaced') return 'refused';
  if (told?.effect === 'refused') {
    return isMadeNoMore({ parts, told }) && destroyed(parts, guest) === 'destroy' ? 'destroy' : 'refused';
  }
  const isThere = isOtherOwner || told?.status !== 'absent';
  // one that names no entry stays, and the new entry takes it as it is
  const isReplaced = entryChange.entry === 'replaced' && !(runsDestroy(entryChange) && guest.isOfNone);
  if (isReplaced && isThere && entryChange.spared === undefined) {
    return destroyed(parts, guest) === 'destroy' ? 'rebuild' : 'refused';
  }
  const isMade = revision?.change.actions.includes('create') === true;
  // of one that leaves another call of this plan nothing is left to hold it
  const isHeldByAnother = isReplaced || (guest.isOthers && isMade && guest.goesBefore !== true);
  if (isHeldByAnother && isThere) return isOtherOwner ? 'forget' : 'refused';
  const isMoved = leftBehind(parts, guest, words) !== undefined;
  // an earlier module, whose plan succeeds, makes a second guest
  if (isMoved && (planFailed || told?.status !== 'absent')) return 'refused';
  if (guest.goesBefore) return 'create';
  if (isUnread) return 'unread';
  if (told === undefined || told.status === 'unknown') return 'unknown';
  if (told.status === 'observed' && told.drift !== '') return 'observed';
  const difference = differenceOf(told);
  if (told.effect === 'restart') return interruption(difference);
  return told.effect === 'live' && difference.adopts ? 'adopt' : BY_EFFECT[told.effect];
}

/** What a change that runs into a restart is for the guest: whether, and how long, it is down. */
function interruption({ restart, changes }: Difference): ReviewVerdict {
  if (restart === 'later') return 'waits';
  return restart === undefined && changes.some(({ field }) => field === 'power') ? 'stop' : 'restart';
}

/** What becomes of a guest whose registry entry goes. One that another entry holds, or none, is left alone. */
function destroyed(parts: MachineParts, guest: StandingGuest): ReviewVerdict {
  const { isOthers, isOfNone, stays, clones, isOfImage } = guest;
  if (parts.entryChange.spared !== undefined || isOthers || isOfNone) return 'forget';
  if (stays !== undefined || anotherMachine(parts, guest) !== undefined) return 'refused';
  if (clones.length === 0) return 'destroy';
  return isOfImage ? 'forget' : 'refused';
}

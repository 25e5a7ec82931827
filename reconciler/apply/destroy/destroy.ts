import type { Refusal } from '../../action';
import type { Destruction } from './destroy-guest';
import { destroyGuest } from './destroy-guest';
import { RefusedError } from '../../errors';
import type { Leaving, Namesake } from './find-leaving';
import { findLeaving } from './find-leaving';
import { findListed } from './find-listed';
import { plain } from '../../observe/verdict';
import type { Run } from '../../run/run';
import type { Identity } from '../../mark/identity';
import { letGo, refuseForClones } from './let-go';
import { linkedClones, strangersAmong } from './linked-clones';
import type { ObservedGuest } from '../../observed';
import { cutPower } from '../power';
import { preflightDestroy } from '../../plan/preflight';
import { whyItStays } from '../../plan/why-it-stays';
import { onlineNodes } from '../../waits/running-tasks';
import { TimeLimit } from '../../waits/time-limit';
import { Waiting } from '../../waits/waiting';
import { waitBeforeDestroy } from './wait-before-destroy';
import type { PveErrorKind } from '../../pve';
import { PveError, TaskError, destroyHindrance } from '../../pve';
import { sameGuest } from '../../observe/same-guest';

/** What became of a machine that was to be destroyed. */
export type Fate = 'destroyed' | 'already-gone' | 'not-ours' | 'let-go';

/** The same in words that follow the machine. */
export const FATES: Record<Fate, string> = {
  destroyed: 'destroyed',
  'already-gone': 'is already gone',
  'not-ours': 'nothing was destroyed, as it is not ours',
  'let-go': 'stays while it has linked clones',
};

/** Failures that pass: what is there is read again, then the rest is done. */
const PASSING: readonly PveErrorKind[] = [
  'locked',
  'no-quorum',
  'changed',
  'not-found',
  'unreachable',
  'unknown-outcome',
];
const DESTROY: { kind: 'destroy' } = { kind: 'destroy' };

/**
 * Removes the guest of a machine with its disks. Already gone is done. Never touches a guest that is not proven ours,
 * one that is protected, a template, or one that another Terraform state holds. Safe to run again at any time.
 */
export async function destroyMachine(fleet: Run, identity: Identity): Promise<Fate> {
  const limit = new TimeLimit();
  limit.begin('destroy');
  const waiting = new Waiting(identity.ids[0] ?? '', limit, fleet);
  try {
    return await untilGone(fleet, identity, waiting);
  } finally {
    waiting.end();
  }
}

async function untilGone(fleet: Run, identity: Identity, waiting: Waiting): Promise<Fate> {
  const { machine, limit } = waiting;
  let isTried = false;
  let isDeleted = false;
  const sending = (): void => void (isDeleted = true);
  for (;;) {
    const leaving = await lookAt(fleet, identity, isTried);
    if (leaving.kind === 'not-ours') {
      fleet.report({ kind: 'warning', machine, text: `${leaving.detail} It is left alone.` });
      return 'not-ours';
    }
    const waited = await waitBeforeDestroy(fleet, leaving, waiting);
    if (waited === true) {
      await fleet.refresh();
      continue;
    }
    if (leaving.kind === 'gone') {
      leaving.namesakes.forEach(each => tellOf(each, fleet, machine));
      if (isDeleted) return 'destroyed';
      const isOthers = ({ belongsTo }: Namesake): boolean =>
        belongsTo !== undefined && belongsTo.owner !== identity.owner;
      return leaving.namesakes.some(isOthers) ? 'not-ours' : 'already-gone';
    }
    try {
      if (waited !== false) {
        if (await letGo(fleet, identity, leaving.guest, waited.clones)) return 'let-go';
        continue;
      }
      const wait = { timeoutMs: Math.max(1_000, limit.until - Date.now()), signal: fleet.signal };
      await destroy(fleet, machine, leaving, { wait, sending });
      return 'destroyed';
    } catch (error) {
      if (!mayPass(error)) throw error;
      isTried = true;
      waiting.disturbed(error);
      await waiting.rest();
      await fleet.refresh();
    }
  }
}

/** Finds the guest, and refuses where it may not be destroyed. `isSent`: an attempt was made, and it stops first. */
async function lookAt(fleet: Run, identity: Identity, isSent: boolean): Promise<Leaving> {
  const listed = fleet.isRead ? undefined : await findListed(fleet, identity);
  if (listed) return listed;
  await fleet.read();
  // what makes a guest may be on any node
  await fleet.runningTasks.readOn(onlineNodes(fleet.cluster));
  try {
    const leaving = await findLeaving(fleet, identity);
    if (leaving.kind === 'found') await refuseWhereNotAllowed(fleet, identity, leaving.guest);
    return leaving;
  } catch (error) {
    const isLate = isSent && error instanceof RefusedError;
    throw isLate ? error.after('maybe-stopped') : error;
  }
}

/** What a person would take for the machine is named, so that "gone" is not read as its end. */
function tellOf({ listed, belongsTo }: Namesake, { report }: Run, machine: string): void {
  const why = belongsTo
    ? `and is machine ${belongsTo.machine} of owner ${belongsTo.owner}. It is left alone: destroy it by the program of that owner.`
    : 'and nothing proves that it is ours. It is left alone.';
  report({ kind: 'warning', machine, text: `${plain(listed)} has its name, ${why}` });
}

async function refuseWhereNotAllowed(fleet: Run, identity: Identity, guest: ObservedGuest): Promise<void> {
  const { vmid, node } = guest;
  const refuse = (why: string, detail: string, remedy: string): never => {
    const refusal: Refusal = {
      machine: identity.ids[0] ?? '',
      why,
      detail,
      remedy,
      changed: 'nothing',
    };
    throw new RefusedError([refusal]);
  };
  const stays = whyItStays(
    guest,
    () => preflightDestroy(identity.ids[0] ?? '', guest, fleet.cluster),
    identity,
  );
  if (stays === undefined) return refuseWithClones(fleet, identity, guest);
  if (stays.why === 'other-entry') {
    refuse('other-entry', `guest ${vmid} on ${node} belongs to a Terraform state.`, 'Destroy it there.');
  }
  if (stays.why === 'denied') throw new RefusedError(stays.refusals);
  if (stays.why === 'protected') {
    refuse(
      'protected',
      `guest ${vmid} on ${node} is protected.`,
      'Set protection to false and apply that first.',
    );
  }
  const clones = await linkedClones(fleet.pve, guest, fleet.cluster.guests);
  const standing = clones.length === 0 ? '' : `, and there are linked clones of it: ${clones.join(', ')}`;
  refuse('template', `guest ${vmid} on ${node} is a template now${standing}.`, 'Remove it by hand.');
}

/** Linked clones that are nobody's of ours do not go: waiting for them would be in vain. */
async function refuseWithClones(fleet: Run, { ids }: Identity, guest: ObservedGuest): Promise<void> {
  if (!guest.template) return;
  const clones = await linkedClones(fleet.pve, guest, fleet.cluster.guests);
  const others = await strangersAmong(fleet.pve, clones, fleet.cluster.guests);
  if (others.length === 0) return;
  throw refuseForClones(ids[0] ?? '', guest, others);
}

async function destroy(
  fleet: Run,
  machine: string,
  { guest, wasSearched }: Extract<Leaving, { kind: 'found' }>,
  { wait, sending }: Required<Pick<Destruction, 'wait' | 'sending'>>,
): Promise<void> {
  const { pve, report } = fleet;
  const { vmid, node } = guest;
  const started = Date.now();
  fleet.needQuorum();
  report({ kind: 'started', machine, action: DESTROY, vmid, node });
  // a search reads many, and it was not the last of them
  const found = wasSearched ? { ...(await sameGuest(pve, guest)), power: guest.power } : guest;
  await destroyGuest(found, {
    pve,
    needQuorum: () => fleet.needQuorumNow(),
    wait,
    sending,
    withIsos: true,
    stop: at => cutPower(pve, at, wait),
    warn: text => report({ kind: 'warning', machine, text }),
  });
  report({ kind: 'finished', machine, action: DESTROY, vmid, node, elapsedMs: Date.now() - started });
}

function mayPass(error: unknown): boolean {
  if (destroyHindrance(error) !== undefined) return true;
  return (error instanceof PveError || error instanceof TaskError) && PASSING.includes(error.kind);
}

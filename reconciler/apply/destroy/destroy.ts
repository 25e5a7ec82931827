import { destroyGuest, type Destruction } from './destroy-guest';
import { untouched, type Refusal } from '../../action';
import { RefusedError } from '../../errors';
import { findLeaving, type Leaving, type Namesake } from './find-leaving';
import { findListed } from './find-listed';
import { plain } from '../../observe/refused-guest';
import type { Run } from '../../run/run';
import type { Identity } from '../../mark/identity';
import { letGo, refuseForClones, wasLetGo } from './let-go';
import { linkedClones } from '../../run/reads/linked-clones';
import { strangersAmong } from './wait-for-clones';
import { maySeeAllGuests, type ObservedGuest } from '../../observed';
import { cutPower } from '../change-power';
import { preflightDestroy } from '../../plan/preflight';
import { destroyRefusals, whyItStays } from '../../plan/why-it-stays';
import { onlineNodes, untilNoneChanges } from '../../waits/running-tasks';
import { TimeLimit } from '../../waits/time-limit';
import { Waiting } from '../../waits/waiting';
import { refuseLosses, type DestroyOrder, type DestroyWish } from './refuse-losses';
import { waitBeforeDestroy } from './wait-before-destroy';
import { destroyHindrance, isUnsent, isFailure, onFailure } from '../../pve';
import { sameGuest } from '../../observe/same-guest';

/** What became of a machine that was to be destroyed. */
export type DestroyOutcome = 'destroyed' | 'already-gone' | 'not-ours' | 'let-go';

/** The same in words that follow the machine. */
export const DESTROY_TEXTS: Record<DestroyOutcome, string> = {
  destroyed: 'destroyed',
  'already-gone': 'is already gone',
  'not-ours': 'nothing was destroyed, as it is not ours',
  'let-go': 'stays while it has linked clones',
};

/**
 * Removes the guest of a machine with its disks. Already gone is done. Never touches a guest that is not proven ours,
 * one that is protected, a template, or one that another Terraform state holds. Safe to run again at any time.
 */
export async function destroyMachine(
  run: Run,
  identity: Identity,
  wish: DestroyWish = {},
): Promise<DestroyOutcome> {
  const limit = new TimeLimit();
  limit.begin('destroy');
  const waiting = new Waiting(identity.ids[0], limit, run);
  try {
    return await untilGone(run, { ...wish, identity }, waiting);
  } finally {
    waiting.end();
  }
}

/** What a destroy of a machine would be refused for, by the very look that it begins with. Reads only. */
export async function destroyObjections(run: Run, identity: Identity, wish: DestroyWish): Promise<Refusal[]> {
  const machine = identity.ids[0];
  const asked = { ...wish, identity };
  try {
    const leaving = await readLeaving(run, asked, false);
    if (leaving.kind === 'not-ours')
      return [{ machine, ...untouched('other-entry', leaving.detail, 'It is left alone.') }];
    if (leaving.kind === 'found') await refuseLosses(run, asked, leaving.guest);
    return [];
  } catch (error) {
    if (error instanceof RefusedError) return error.refusals;
    throw error;
  }
}

async function untilGone(run: Run, asked: DestroyOrder, waiting: Waiting): Promise<DestroyOutcome> {
  const { identity } = asked;
  const { machine, limit } = waiting;
  let [isTried, isDeleted] = [false, false];
  let letting: { guest: ObservedGuest; clones: readonly number[] } | undefined;
  const sending = (): void => void (isDeleted = true);
  for (;;) {
    const leaving = await readLeaving(run, asked, isTried);
    const waited = await waitBeforeDestroy(run, leaving, waiting);
    if (waited === true) {
      await run.refresh();
      continue;
    }
    if (leaving.kind === 'not-ours') {
      if (letting && (await wasLetGo(run, identity, letting.guest, letting.clones))) return 'let-go';
      run.report({ kind: 'warning', machine, text: `${leaving.detail} It is left alone.` });
      return 'not-ours';
    }
    if (leaving.kind === 'gone') return outcomeOfGone(run, leaving, { ...asked, isDeleted, machine });
    const wasDeleted: boolean = isDeleted;
    try {
      if (waited !== false) {
        letting = { guest: leaving.guest, clones: waited.clones };
        if (await letGo(run, identity, leaving.guest, waited.clones)) return 'let-go';
        continue;
      }
      const wait = { timeoutMs: Math.max(1_000, limit.until - performance.now()), signal: run.signal };
      await destroy(run, asked, leaving, { wait, sending });
      return 'destroyed';
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (isUnsent(error)) isDeleted = wasDeleted;
      isTried = true;
      await lookAgain(run, leaving, error, waiting);
    }
  }
}

/** Reads the cluster again after a failure that passes, once what may still be at work has ended. */
async function lookAgain(run: Run, leaving: Leaving, error: unknown, waiting: Waiting): Promise<void> {
  waiting.disturbed(error);
  await waiting.rest();
  // a DELETE that is queued behind the first may find another guest with its id
  if (isLost(error) && leaving.kind === 'found')
    await untilNoneChanges(run.pve, leaving.guest.node, [leaving.guest.vmid], waiting);
  await run.refresh();
}

/** Finds the guest, and refuses where it may not be destroyed. `isSent`: an attempt was made, and it stops first. */
async function readLeaving(run: Run, asked: DestroyOrder, isSent: boolean): Promise<Leaving> {
  const { identity } = asked;
  const listed = run.isRead ? undefined : await findListed(run, identity, asked);
  if (listed) return listed;
  await run.read();
  // what makes a guest may be on any node
  await run.runningTasks.readOn(onlineNodes(run.cluster));
  try {
    const leaving = await findLeaving(run, identity);
    if (leaving.kind === 'found') await refuseWhereNotAllowed(run, asked, leaving.guest);
    return leaving;
  } catch (error) {
    const isLate = isSent && error instanceof RefusedError;
    throw isLate ? error.after('maybe-stopped') : error;
  }
}

/** No guest of it is found: what became of the machine. */
function outcomeOfGone(
  run: Run,
  { namesakes }: Extract<Leaving, { kind: 'gone' }>,
  { identity, isDeleted, machine }: { identity: Identity; isDeleted: boolean; machine: string },
): DestroyOutcome {
  namesakes.forEach(each => tellOf(each, run, machine));
  if (isDeleted) return 'destroyed';
  tellUnseen(run, machine);
  const isOthers = ({ belongsTo }: Namesake): boolean =>
    belongsTo !== undefined && belongsTo.owner !== identity.owner;
  return namesakes.some(isOthers) ? 'not-ours' : 'already-gone';
}

/** What a person would take for the machine is named, so that "gone" is not read as its end. */
function tellOf({ listed, belongsTo }: Namesake, { report }: Run, machine: string): void {
  const why = belongsTo
    ? `and is machine ${belongsTo.machine} of owner ${belongsTo.owner}. It is left alone: destroy it by the program of that owner.`
    : 'and nothing proves that it is ours. It is left alone.';
  report({ kind: 'warning', machine, text: `${plain(listed)} has its name, ${why}` });
}

/** Who does not see all guests has not seen that it is gone. No refusal: what a cut run destroyed is gone, too. */
function tellUnseen({ cluster, report }: Run, machine: string): void {
  if (maySeeAllGuests(cluster)) return;
  const text =
    'this user does not see all guests: one of it that is not seen may be there all the same, and is not destroyed. Grant VM.Audit on /vms, and look whether Proxmox has a guest of its name.';
  report({ kind: 'warning', machine, text });
}

async function refuseWhereNotAllowed(run: Run, asked: DestroyOrder, guest: ObservedGuest): Promise<void> {
  const { identity } = asked;
  const machine = identity.ids[0];
  const stays = whyItStays(guest, () => preflightDestroy(machine, guest, run.cluster), asked);
  if (stays === undefined) return refuseWithClones(run, identity, guest);
  const clones =
    stays.why === 'template' ? await linkedClones(run.pve, guest, run.cluster.guests) : undefined;
  throw new RefusedError(
    destroyRefusals(machine, guest, stays, { clones, isOfResource: asked.isOfResource }),
  );
}

/** Linked clones that are nobody's of ours do not go: waiting for them would be in vain. */
async function refuseWithClones(run: Run, { ids }: Identity, guest: ObservedGuest): Promise<void> {
  if (!guest.template) return;
  const clones = await linkedClones(run.pve, guest, run.cluster.guests);
  const others = await strangersAmong(run.pve, clones, run.cluster.guests);
  if (others.length === 0) return;
  throw refuseForClones(ids[0], guest, others);
}

async function destroy(
  run: Run,
  asked: DestroyOrder,
  { guest, wasSearched }: Extract<Leaving, { kind: 'found' }>,
  { wait, sending }: Required<Pick<Destruction, 'wait' | 'sending'>>,
): Promise<void> {
  const { pve, report } = run;
  const { identity, named, withKept, asksAll, allowed } = asked;
  const { vmid, node } = guest;
  const machine = identity.ids[0];
  const started = performance.now();
  run.needQuorumAsRead();
  const losses = await refuseLosses(run, asked, guest);
  const action = { kind: 'destroy', losses } as const;
  report({ kind: 'started', machine, action, vmid, node });
  // a search reads many, and it was not the last of them; nor is it where snapshots were listed
  const isLast = !wasSearched && (guest.power === 'stopped' || (losses.snapshots.length === 0 && !asksAll));
  const found = isLast ? guest : { ...(await sameGuest(pve, guest)), power: guest.power };
  await destroyGuest(found, {
    run,
    wait,
    sending,
    named,
    withKept,
    withIsos: true,
    allowed,
    stop: async at => {
      await allowed?.();
      // without one it could not be removed, and would be left off
      await run.needQuorumOfLate();
      await cutPower(pve, at, wait);
    },
    warn: text => report({ kind: 'warning', machine, text }),
  });
  const elapsedMs = Math.round(performance.now() - started);
  report({ kind: 'finished', machine, action, vmid, node, elapsedMs });
}

function mayPass(error: unknown): boolean {
  return destroyHindrance(error) !== undefined || onFailure(error, 'destroy') === 'again';
}

/** Whether Proxmox may still do what was asked for. */
function isLost(error: unknown): boolean {
  return isFailure(error) && error.kind === 'unknown-outcome';
}

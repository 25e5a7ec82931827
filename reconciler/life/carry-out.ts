import { isAboutSnapshots, makesGuest, type Action, type ActionOf, type MachinePlan } from '../action';
import { readAfterFailure } from './after-failure';
import type { OurStop } from './our-stop';
import { guestAfter } from './guest-after';
import type { MachineRun } from './machine-run';
import { sourceAsNow } from './need-source';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { perform, type ActionContext } from '../apply/perform';
import { actionContext } from './action-context';
import { isFailure } from '../pve';

/** A machine as its spec wants it, but for the changes that wait for a restart. */
export type Converged = { guest: ObservedGuest } & Pick<MachinePlan, 'waiting'>;

/** How a round ended. */
export type RoundEnd =
  | ({ kind: 'as-wanted' } & Converged)
  /** All actions of this round are done; the next round sees what is left. */
  | { kind: 'went-well'; have: ObservedMachine }
  /** Somebody wrote over what this round did. */
  | { kind: 'written-over'; have: ObservedMachine }
  /** Something was waited for, or came between: time bounds that. */
  | { kind: 'again'; have: ObservedMachine };

/** What the actions of a round have told. */
interface RoundNotes {
  /** The action that went well directly before. */
  lastKind?: Action['kind'];
  /** The guest as it was read directly before it was started. */
  startedAs?: ObservedGuest;
}

/**
 * Does the actions of one round, one after the other, and reads what they left, where that is not certain anyway. Ends
 * early where one of them fails.
 */
export async function carryOut(
  machine: MachineRun,
  whole: MachinePlan,
  have: ObservedMachine,
  stop: OurStop,
): Promise<RoundEnd> {
  const { actions, isWhole } = actionsOfThisRound(whole);
  const plan = { ...whole, actions };
  machine.done.hasHealed ||= whole.heals === true;
  let guest = have.kind === 'absent' || have.kind === 'refused' ? undefined : have.guest;
  const notes: RoundNotes = {};
  for (const action of actions) {
    await machine.qmCleanup.waitAfterOurRestart(action, guest);
    const started = performance.now();
    // after an interrupt nothing is told to begin
    machine.signal.throwIfAborted();
    begins(machine, action, guest);
    try {
      const context = () => contextInRound(machine, guest, { action, stops: stop.begins, notes });
      await act(machine, action, context);
    } catch (error) {
      if (makesGuest(action)) machine.run.shared.madeIds.forget(action.vmid);
      if (error instanceof NotAllowedError) throw error.cause;
      const kind = isWrittenOver(error, notes) ? 'written-over' : 'again';
      return { kind, have: await afterFailure(machine, action, error) };
    }
    stop.wentWell(action);
    finished(machine, action, guest, Math.round(performance.now() - started));
    guest = guestAfter(action, guest);
    notes.lastKind = action.kind;
  }
  // read again? no: it was one write, surely in effect; no: it ended with a start, and was read while off; else yes
  if (guest && isWhole && isSettled(plan)) return { kind: 'as-wanted', guest, waiting: plan.waiting };
  const { startedAs, lastKind } = notes;
  const isStart = lastKind === 'power' || lastKind === 'restart';
  if (startedAs && isWhole && isStart && startsAsRead(startedAs))
    return { kind: 'went-well', have: machine.reader.afterStart(plan, startedAs) };
  return { kind: 'went-well', have: await machine.reader.afterRound(plan, guest) };
}

/** Does an action once that is allowed, and where it makes a guest, once there is room for one more. */
async function act(machine: MachineRun, action: Action, context: () => ActionContext): Promise<void> {
  machine.run.needQuorumAsRead();
  const sourceStands = action.kind === 'clone' ? sourceAsNow(machine.run, action) : undefined;
  const work = async (): Promise<void> => {
    await needAllowed(machine);
    await sourceStands?.();
    // made now: the time that is left counts from here
    await perform(action, context());
  };
  await (makesGuest(action) ? whenRoom(machine, action, work) : work());
}

function begins({ done, timeLimit, reporting }: MachineRun, action: Action, guest?: ObservedGuest): void {
  done.begins(action);
  if (action.kind === 'destroy') timeLimit.begin('destroy');
  if (action.kind === 'destroy' && guest) done.destroys(guest, false);
  reporting.started(action, guest);
}

/** Makes a guest when there is room for one more. After an interrupt nothing is started any more. */
function whenRoom(machine: MachineRun, action: ActionOf<'create' | 'clone'>, work: () => Promise<void>) {
  const asked = performance.now();
  return machine.run.shared.limits.use(action, () => {
    machine.signal.throwIfAborted();
    machine.timeLimit.extend(performance.now() - asked);
    return work();
  });
}

function finished(
  { waiting, done, reader, rivals, run, reporting }: MachineRun,
  action: Action,
  guest: ObservedGuest | undefined,
  elapsedMs: number,
): void {
  waiting.wentWell();
  done.note(action, guest);
  if (action.kind === 'destroy') reader.isDestroyed = true;
  if (action.kind === 'configure') rivals.isConfigured();
  const { vmid = 0, node = '' } = 'vmid' in action ? action : (guest ?? {});
  // where to look for it, should what follows be lost
  if (makesGuest(action)) {
    reader.lastPlace = { vmid, node };
    reader.isDestroyed = false;
    run.shared.madeIds.isThere(vmid);
  }
  reporting.finished(action, { vmid, node }, elapsedMs);
}

/** What an action is done with, so that a later one and the end of the run know what it told. */
function contextInRound(
  machine: MachineRun,
  guest: ObservedGuest | undefined,
  { action, stops, notes }: { action: Action; stops: (read: ObservedGuest) => void; notes: RoundNotes },
): ActionContext {
  const stopping = (read: ObservedGuest): void => {
    if (action.kind === 'destroy') machine.done.destroys(read, true);
    stops(read);
  };
  const starting = (read: ObservedGuest): void => void (notes.startedAs = read);
  const accepted = (): void => (makesGuest(action) ? machine.rivals.isMaking(action.vmid) : undefined);
  const justWritten = notes.lastKind === 'configure';
  return { ...actionContext(machine, guest), stopping, starting, accepted, justWritten };
}

/** Nothing was sent, so nothing is read again: who answers may be somebody else. */
class NotAllowedError extends Error {}

/** To be called once a place is free: much may have been true before that wait. */
async function needAllowed({ wanted, signal }: MachineRun): Promise<void> {
  try {
    await wanted.allowed?.();
  } catch (cause) {
    throw new NotAllowedError('', { cause });
  }
  signal.throwIfAborted();
}

/** Whether an action failed because the guest was changed, by somebody or by HA, after an earlier action of the same round. */
function isWrittenOver(error: unknown, { lastKind }: RoundNotes): boolean {
  return lastKind !== undefined && isFailure(error) && error.kind === 'changed';
}

/** Whether a start changes nothing of a guest but its power, as far as Proxmox tells: nothing waits, HA does not start it. */
function startsAsRead({ pending, haManaged }: ObservedGuest): boolean {
  return Object.keys(pending).length === 0 && !haManaged;
}

/** The actions before the first one that needs another reading. `isWhole`: that is all of them. */
function actionsOfThisRound({ actions, heals }: MachinePlan): { actions: Action[]; isWhole: boolean } {
  // what follows a lost mark is planned anew, with the mark that was written
  const first = heals === true ? actions.slice(0, 1) : actions;
  const now = beforeStaleWrite(beforeSnapshots(beforeRivals(first)));
  return { actions: now, isWhole: now.length === actions.length };
}

/** What follows a create waits until no rival is seen. */
function beforeRivals(actions: Action[]): Action[] {
  const create = actions.findIndex(({ kind }) => kind === 'create');
  return create === -1 ? actions : actions.slice(0, create + 1);
}

/** Snapshots are taken in a round of their own: of a machine that was read, before a change, or once it is as wanted. */
function beforeSnapshots(actions: Action[]): Action[] {
  const isFirst = actions[0]?.kind === 'take-snapshot' && !actions.every(isAboutSnapshots);
  if (isFirst) return actions.slice(0, 1);
  const first = actions.findIndex(({ kind }) => kind === 'take-snapshot');
  return first <= 0 ? actions : actions.slice(0, first);
}

/**
 * A configuration is written with the digest of the reading that it was planned on, so that Proxmox refuses it where
 * somebody wrote since. After a write of ours that digest holds no more: the next round plans it anew.
 */
function beforeStaleWrite(actions: Action[]): Action[] {
  const begins = actions.findIndex(({ kind }) => kind !== 'upload-iso' && kind !== 'fetch-image');
  const stale = actions.findIndex(({ kind }, at) => kind === 'configure' && at > begins);
  return stale === -1 ? actions : actions.slice(0, stale);
}

/** What a failed action left. Only a failure that ends the run is told as one; the others are on the way. */
async function afterFailure(machine: MachineRun, action: Action, error: unknown): Promise<ObservedMachine> {
  try {
    return await readAfterFailure(machine, action, error);
  } catch (final) {
    machine.waiting.end();
    machine.reporting.failed(action, final);
    throw final;
  }
}

/** Whether all that is to be done was one write, and all of that write is certain to be in effect. */
function isSettled({ actions: [only, more], later, wayBack }: MachinePlan): boolean {
  // a snapshot that was taken before the change is closed after it
  const isLast = later === undefined && wayBack === undefined;
  return isLast && more === undefined && only?.kind === 'configure' && !only.verify;
}

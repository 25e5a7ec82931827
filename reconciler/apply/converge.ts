import type { Action, MachinePlan } from '../action';
import { guestAfter } from './after-action';
import { readAfterFailure } from './after-failure';
import { OurStop } from './bring-back';
import { NotConvergedError, RefusedError, VanishedError } from '../errors';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { perform, type Performance } from './perform';
import type { MachineRun } from './machine-run';

/** Rounds that end well and still leave something to do; a create needs two, a disk that comes back three. */
const MOST_ROUNDS = 8;

/** A machine as its spec wants it, but for the changes that wait for a restart. `created`: this run has made it. */
type Converged = { guest: ObservedGuest; created: boolean } & Pick<MachinePlan, 'waiting'>;

/**
 * Brings one machine to its spec: plan, act, read, plan again, until nothing is left. What a crash, a lost answer or
 * a race left behind is only another thing to read, so there is no second path. Safe to run again at any time.
 */
export async function converge(machine: MachineRun): Promise<Converged> {
  const stop = new OurStop(machine);
  try {
    const converged = await inRounds(machine, stop);
    stop.isOver();
    return converged;
  } catch (error) {
    await stop.undo();
    machine.tellWayBack();
    throw error;
  } finally {
    machine.waiting.end();
  }
}

async function inRounds(machine: MachineRun, stop: OurStop): Promise<Converged> {
  let have = await machine.whole(await machine.reader.observe());
  for (let done = 0, isFirst = true; done <= MOST_ROUNDS; done += 1) {
    have = await machine.readEnough(have);
    await machine.rivals.giveWayTo(have);
    const plan = await machine.planner.plan(have);
    machine.wayBack = plan.wayBack ?? machine.wayBack;
    if (plan.refusals.length > 0) throw refusalOf(plan, isFirst);
    const converged = (guest: ObservedGuest): Converged => ({
      guest,
      created: machine.hasMade(guest),
      waiting: plan.waiting,
    });
    const made = machine.madeBefore(plan);
    if (made) throw new VanishedError(machine.id, made);
    if (plan.actions.length === 0 && !isPutOff(plan, have)) return converged(present(have, plan));
    const next = await nextOf(machine, plan, have, stop);
    if (next.settled) return converged(next.settled);
    have = await machine.whole(next.have);
    if (next.disturbed) done -= 1;
    if (!next.waited) isFirst = false;
  }
  throw new NotConvergedError(machine.id, (await machine.planner.plan(have)).actions);
}

/** Carries a plan out as soon as that can be; after a wait, and beside a rival, all is read and planned again instead. */
async function nextOf(
  machine: MachineRun,
  plan: MachinePlan,
  have: ObservedMachine,
  stop: OurStop,
): Promise<Outcome> {
  const waited = await machine.waits.untilFree(have, plan);
  if (!waited && (await machine.mayFinish(have))) return carryOut(machine, plan, have, stop);
  if (machine.limit.isUp()) throw new NotConvergedError(machine.id, plan.actions);
  if (!waited) await machine.waiting.rest();
  return { have: await machine.reader.observeAnew(), disturbed: true, waited };
}

/** What it is made from went while it was planned: that is waited for. */
function isPutOff({ waitsFor }: MachinePlan, { kind }: ObservedMachine): boolean {
  return kind === 'absent' && waitsFor !== undefined;
}

function refusalOf({ refusals }: MachinePlan, isFirst: boolean): RefusedError {
  const refused = new RefusedError(refusals);
  return isFirst ? refused : refused.after('before');
}

interface Outcome {
  have: ObservedMachine;
  /** Something came between; the round does not count, time bounds it. */
  disturbed: boolean;
  /** Nothing was done but waiting. */
  waited?: boolean;
  /** Known without reading again: every key that was written takes effect at once. */
  settled?: ObservedGuest;
}

async function carryOut(
  machine: MachineRun,
  whole: MachinePlan,
  have: ObservedMachine,
  stop: OurStop,
): Promise<Outcome> {
  const plan = { ...whole, actions: beforeSnapshots(beforeRivals(whole.actions)) };
  let guest = have.kind === 'absent' || have.kind === 'refused' ? undefined : have.guest;
  const told: Told = {};
  for (const action of plan.actions) {
    const started = Date.now();
    machine.started(action, guest);
    const tells = tellsOf(machine, action, stop, told);
    try {
      machine.run.needQuorum();
      await machine.limited(action, () => perform(action, { ...machine.performance(guest), ...tells }));
    } catch (error) {
      machine.didNotEnd(action);
      return { have: await afterFailure(machine, action, error), disturbed: true };
    }
    stop.wentWell(action);
    machine.finished(action, guest, Date.now() - started);
    guest = guestAfter(action, guest);
    told.before = action.kind;
  }
  const isWhole = plan.actions.length === whole.actions.length;
  if (guest && isWhole && isSettled(plan)) return { have, disturbed: false, settled: guest };
  const { startedAs } = told;
  if (startedAs && isWhole && told.before === 'power' && startsAsRead(startedAs))
    return { have: machine.reader.afterStart(plan, startedAs), disturbed: false };
  return { have: await machine.reader.afterRound(plan, guest), disturbed: false };
}

/** What the actions of a round have told. */
interface Told {
  /** The action that went well directly before. */
  before?: Action['kind'];
  /** The guest as it was read directly before it was started. */
  startedAs?: ObservedGuest;
}

function tellsOf(
  machine: MachineRun,
  action: Action,
  stop: OurStop,
  told: Told,
): Pick<Performance, 'stopping' | 'starting' | 'accepted'> & Partial<Pick<Performance, 'needQuorum'>> {
  const stopping = (read: ObservedGuest): void => {
    machine.stops(action, read);
    stop.begins(read);
  };
  const starting = (read: ObservedGuest): void => void (told.startedAs = read);
  const accepted = (): void => machine.begun(action);
  // PVE: without a quorum no configuration is written (behaviour.md, errors): a write that went well has asked for it
  const isProven = told.before === 'configure';
  return { stopping, starting, accepted, ...(isProven && { needQuorum: () => Promise.resolve() }) };
}

/** Whether a start changes nothing of a guest but its power, as far as Proxmox tells: nothing waits, HA does not start it. */
function startsAsRead({ pending, haManaged }: ObservedGuest): boolean {
  return Object.keys(pending).length === 0 && !haManaged;
}

/** What follows a create waits until no rival is seen. */
function beforeRivals(actions: Action[]): Action[] {
  const create = actions.findIndex(({ kind }) => kind === 'create');
  return create === -1 ? actions : actions.slice(0, create + 1);
}

/** Snapshots are taken in a round of their own: of a machine that was read, before a change, or once it is as wanted. */
function beforeSnapshots(actions: Action[]): Action[] {
  const isFirst =
    actions[0]?.kind === 'take-snapshot' && actions.some(({ kind }) => !/-snapshot$/.test(kind));
  if (isFirst) return actions.slice(0, 1);
  const first = actions.findIndex(({ kind }) => kind === 'take-snapshot');
  return first <= 0 ? actions : actions.slice(0, first);
}

/** What a failed action left. Only a failure that ends the run is told as one; the others are on the way. */
async function afterFailure(machine: MachineRun, action: Action, error: unknown): Promise<ObservedMachine> {
  try {
    return await readAfterFailure(machine, action, error);
  } catch (final) {
    machine.failed(action, final);
    throw final;
  }
}

/** Whether all that was done is one write, and all of that write is certain to be in effect. */
function isSettled({ actions: [only, more] }: MachinePlan): boolean {
  return more === undefined && only?.kind === 'configure' && !only.verify;
}

function present(have: ObservedMachine, plan: MachinePlan): ObservedGuest {
  if (have.kind === 'present' || have.kind === 'adoptable') return have.guest;
  throw new NotConvergedError(plan.machine, plan.actions);
}

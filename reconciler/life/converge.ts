import type { MachinePlan } from '../action';
import { OurStop } from './our-stop';
import { isNoMoreThere, MOST_SOUGHT } from './after-failure';
import { carryOut, type Converged, type RoundEnd } from './carry-out';
import { NotConvergedError, RefusedError, VanishedError } from '../errors';
import type { MachineRun } from './machine-run';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { changeLines } from '../report/change-lines';
import { oneLine } from '../report/visible';

/** So many rounds may end well and still leave something to do; a create needs two, a disk that comes back three. */
const MOST_ROUNDS = 9;

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
    tellWayBack(machine);
    throw error;
  } finally {
    machine.waiting.end();
  }
}

async function inRounds(machine: MachineRun, stop: OurStop): Promise<Converged> {
  let left = MOST_ROUNDS;
  let have = await whole(machine, await machine.reader.observe());
  machine.done.foundToken = 'guest' in have ? have.guest.mark?.token : undefined;
  for (;;) {
    const end = await round(machine, have, { stop, isLast: left === 0 });
    if (end.kind === 'as-wanted') return end;
    if (end.kind !== 'again') left -= 1;
    have = await whole(machine, end.have);
  }
}

/** The machine once nobody makes it any more, and there is all of it. */
async function whole(machine: MachineRun, have: ObservedMachine): Promise<ObservedMachine> {
  let seen = have;
  const isNew = seen.kind === 'absent' || (seen.kind === 'present' && seen.unfinished);
  machine.timeLimit.begin(isNew ? 'create' : 'apply');
  while (await machine.hindrances.untilWhole(seen)) seen = await machine.reader.observeAnew();
  return seen;
}

/** Plans, waits until that can be done, and does it. The last round only says what is still left. */
async function round(
  machine: MachineRun,
  have: ObservedMachine,
  { stop, isLast }: { stop: OurStop; isLast: boolean },
): Promise<RoundEnd> {
  await machine.rivals.giveWayTo(have);
  const plan = await planOf(machine, have);
  if (plan === 'needs-cluster' || plan === 'moved') return again(machine);
  refuseOrNote(machine, plan);
  if (plan.actions.length === 0 && !isPutOff(plan, have))
    return { kind: 'as-wanted', guest: present(have, plan), waiting: plan.waiting };
  if (isLast || machine.done.takesInVain(plan)) throw notConverged(plan);
  const waited = await machine.hindrances.untilFree(have, plan);
  if (!waited && (await mayFinish(machine, have))) {
    plan.warnings?.forEach(each => machine.reporting.warnOnce(each));
    return carryOut(machine, plan, have, stop);
  }
  if (machine.timeLimit.isUp())
    throw machine.waiting.timeUp(`this is still to do: ${leftOf(plan).join('; ')}`);
  if (!waited) await machine.waiting.rest();
  return again(machine);
}

/** `moved`: somebody moved or removed the guest while it was planned, as a task of an earlier run does. */
async function planOf(machine: MachineRun, have: ObservedMachine) {
  try {
    return await machine.planner.plan(have);
  } catch (error) {
    if (!('guest' in have) || !isNoMoreThere(error, have.guest)) throw error;
    const times = machine.waiting.disturbed(error);
    if (times >= MOST_SOUGHT) throw error;
    if (times > 1) await machine.waiting.rest();
    return 'moved';
  }
}

/** Throws where a plan is not to be carried out. */
function refuseOrNote(machine: MachineRun, plan: MachinePlan): void {
  const { done, run, reporting } = machine;
  machine.wayBack = plan.wayBack ?? machine.wayBack;
  if (plan.refusals.length > 0) {
    const refused = new RefusedError(plan.refusals);
    throw done.hasActed ? refused.after('before') : refused;
  }
  plan.notes?.forEach(text => reporting.noteOnce(text));
  const made = done.madeBefore(plan);
  if (made === undefined) return;
  const isListed = run.cluster.guests.some(({ vmid }) => vmid === made.vmid);
  throw new VanishedError(machine.id, made, isListed);
}

/**
 * Whether what is there may get its first configuration now. False: another guest is the machine, or that is not
 * certain yet; read it again.
 */
async function mayFinish({ rivals, reader }: MachineRun, have: ObservedMachine): Promise<boolean> {
  if (have.kind !== 'present' || !have.unfinished) return true;
  const winner = await rivals.winnerOver(have.guest);
  if (winner !== undefined && winner !== 'again') reader.lastPlace = winner;
  return winner === undefined;
}

/** It failed: what was taken before the change is reported, and how to go back to it. */
function tellWayBack({ id, wayBack, reporting }: MachineRun): void {
  if (wayBack === undefined) return;
  reporting.warn(
    `snapshot ${wayBack} holds it as it was before this change. To go back: undo the change in the spec, then pve-reconciler snapshot revert ${id} ${wayBack} --spec FILE.`,
  );
}

async function again({ reader }: MachineRun): Promise<RoundEnd> {
  return { kind: 'again', have: await reader.observeAnew() };
}

/** What it is made from went while it was planned: that is waited for. */
function isPutOff({ waitsFor }: MachinePlan, { kind }: ObservedMachine): boolean {
  return kind === 'absent' && waitsFor !== undefined;
}

function present(have: ObservedMachine, plan: MachinePlan): ObservedGuest {
  if (have.kind === 'present' || have.kind === 'adoptable') return have.guest;
  throw notConverged(plan);
}

function notConverged(plan: MachinePlan): NotConvergedError {
  return new NotConvergedError(plan.machine, leftOf(plan));
}

/** A new machine has more fields than a message. */
const MOST_NAMED = 8;

/** The fields that differ, or where none does what is to be done, each in one line. */
function leftOf(plan: MachinePlan): string[] {
  const changes = changeLines({ ...plan, waiting: [] }).map(oneLine);
  const all = changes.length > 0 ? changes : plan.actions.map(({ kind }) => kind);
  const more = all.length - MOST_NAMED;
  return more > 0 ? [...all.slice(0, MOST_NAMED), `${more} more`] : all;
}

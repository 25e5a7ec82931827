import type { MachinePlan } from '../action';
import { OurStop } from './bring-back';
import { carryOut, type RoundEnd } from './carry-out';
import { driftOf, driftSentence } from './drift';
import { NotConvergedError, RefusedError, VanishedError } from '../errors';
import { MachineRun } from './machine-run';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { waitingSentence } from '../report/change-lines';
import { MachineWork } from '../run/at-work';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';
import { waitForCloudInit } from './wait-for-cloud-init';
import { waitForGuest } from './wait-for-guest';

/** What became of a machine: brought to its spec, only looked at, or not even that. */
export type Outcome =
  /** `waits`: part of it is in effect after a restart only, which nobody does. */
  | { kind: 'as-wanted'; guest: ObservedGuest; waits?: true }
  | { kind: 'observed'; guest: ObservedGuest | undefined }
  | { kind: 'paused' };

/** Does for one machine what its mode allows, and tells of it: brings it to its spec, only reads it, or leaves it alone. */
export async function reconcileMachine(run: Run, wanted: Wanted): Promise<Outcome> {
  const work = new MachineWork();
  run.atWork.set(wanted.spec.id, work);
  try {
    return await byMode(run, wanted);
  } finally {
    work.end();
  }
}

async function byMode(run: Run, wanted: Wanted): Promise<Outcome> {
  const { spec } = wanted;
  if (spec.mode === 'paused') {
    run.report({ kind: 'progress', machine: spec.id, text: PAUSED });
    return { kind: 'paused' };
  }
  const machine = new MachineRun(run, wanted);
  if (spec.mode === 'observe') return onlyObserve(machine);
  const { guest, waiting, created } = await converge(machine);
  warn(machine, waitingSentence(spec.id, waiting));
  await waitForGuest(machine, guest, created || machine.done.hasStarted);
  if (machine.done.hasStarted) await waitForCloudInit(run, spec, guest);
  return { kind: 'as-wanted', guest, ...(waiting.length > 0 && { waits: true }) };
}

export const PAUSED = 'is paused: not read and not written.';

async function onlyObserve(machine: MachineRun): Promise<Outcome> {
  const have = await machine.reader.observe();
  const plan = await machine.planner.planToRead(have);
  warn(machine, driftSentence(driftOf(plan, have)));
  return { kind: 'observed', guest: 'guest' in have ? have.guest : undefined };
}

function warn({ id, run }: MachineRun, text: string | undefined): void {
  if (text !== undefined) run.report({ kind: 'warning', machine: id, text });
}

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
  machine.done.foundToken = 'guest' in have ? have.guest.mark?.t : undefined;
  for (let done = 0, isFirst = true; done <= MOST_ROUNDS; done += 1) {
    await machine.rivals.giveWayTo(have);
    const plan = await machine.planner.plan(have);
    if (plan === undefined) {
      have = await machine.whole(await machine.reader.observeAnew());
      done -= 1;
      continue;
    }
    machine.wayBack = plan.wayBack ?? machine.wayBack;
    if (plan.refusals.length > 0) throw refusalOf(plan, isFirst);
    plan.notes?.forEach(text => machine.noteOnce(text));
    const converged = (guest: ObservedGuest): Converged => ({
      guest,
      created: machine.done.hasMade(guest),
      waiting: plan.waiting,
    });
    const made = machine.done.madeBefore(plan);
    if (made) throw new VanishedError(machine.id, made);
    if (plan.actions.length === 0 && !isPutOff(plan, have)) return converged(present(have, plan));
    const next = await nextOf(machine, plan, have, stop);
    if (next.settled) return converged(next.settled);
    have = await machine.whole(next.have);
    if (next.disturbed) done -= 1;
    if (!next.waited) isFirst = false;
  }
  throw new NotConvergedError(machine.id, (await machine.planner.planOnAll(have)).actions);
}

/** Carries a plan out as soon as that can be; after a wait, and beside a rival, all is read and planned again instead. */
async function nextOf(
  machine: MachineRun,
  plan: MachinePlan,
  have: ObservedMachine,
  stop: OurStop,
): Promise<RoundEnd> {
  const waited = await machine.waits.untilFree(have, plan);
  if (!waited && (await machine.mayFinish(have))) {
    plan.warnings?.forEach(each => machine.warnOnce(each));
    return carryOut(machine, plan, have, stop);
  }
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

function present(have: ObservedMachine, plan: MachinePlan): ObservedGuest {
  if (have.kind === 'present' || have.kind === 'adoptable') return have.guest;
  throw new NotConvergedError(plan.machine, plan.actions);
}

import { converge } from './converge';
import { driftOf, driftSentence } from './drift';
import type { ObservedGuest } from '../observed';
import { waitingSentence } from '../report/plan-text';
import { MachineRun } from './machine-run';
import type { Run } from '../run/run';
import { waitForCloudInit } from './wait-for-cloud-init';
import { waitForGuest } from './wait-for-guest';
import type { Wanted } from '../run/wanted';

/** What became of a machine: brought to its spec, only looked at, or not even that. */
export type Outcome =
  | { kind: 'as-wanted'; guest: ObservedGuest }
  | { kind: 'observed'; guest: ObservedGuest | undefined }
  | { kind: 'paused' };

/** Does for one machine what its mode allows, and tells of it: brings it to its spec, only reads it, or leaves it alone. */
export async function reconcileMachine(run: Run, wanted: Wanted): Promise<Outcome> {
  const work = run.atWork.begin(wanted.spec.id);
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
  warn(machine, waitingSentence(waiting));
  if (created) await waitForGuest(run, spec, guest);
  if (machine.hasStarted) await waitForCloudInit(run, spec, guest);
  return { kind: 'as-wanted', guest };
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

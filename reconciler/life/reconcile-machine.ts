import { converge } from './converge';
import { driftOf, driftSentence } from './drift-text';
import { MachineRun } from './machine-run';
import type { ObservedGuest } from '../observed';
import { waitingSentence } from '../report/change-lines';
import { eachMachine } from '../run/each-machine';
import { MachineWork } from '../run/machine-work';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';
import { waitForCloudInit } from './settle/wait-for-cloud-init';
import { needsToRun } from './settle/needs-to-run';
import { waitForGuest } from './settle/wait-for-guest';

/** What became of a machine: brought to its spec, only looked at, or not even that. */
export type Outcome =
  /** `waits`: part of it is in effect after a restart only, which nobody does. */
  | { kind: 'as-wanted'; guest: ObservedGuest; waits?: true }
  | { kind: 'observed'; guest: ObservedGuest | undefined }
  | { kind: 'paused' };

/** How a run ended for one machine. */
export type Ending = ({ machine: string } & Outcome) | { machine: string; error: unknown };

/**
 * Brings the machines of a run to what is wanted, once. Safe to run again at any time, also after a crash half-way. One
 * machine's failure never stops the others.
 */
export function reconcileMachines(run: Run, machines: readonly Wanted[]): Promise<Ending[]> {
  return eachMachine<Ending>(
    machines,
    async wanted => ({ machine: wanted.spec.id, ...(await reconcileMachine(run, wanted)) }),
    ({ spec: { id: machine } }, error) => {
      run.report({ kind: 'failed', machine, action: undefined, error });
      return { machine, error };
    },
  );
}

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
  const { guest, waiting } = await converge(machine);
  tell(machine, waitingSentence(spec.id, guest, waiting));
  if (guest.still !== undefined) await needsToRun(machine, guest);
  const { done } = machine;
  await waitForGuest(machine, guest, done.hasMade(guest) || done.hasStarted);
  if (done.hasStarted) await waitForCloudInit(run, spec, guest);
  return { kind: 'as-wanted', guest, ...(waiting.length > 0 && { waits: true }) };
}

export const PAUSED = 'is paused: not read and not written.';

async function onlyObserve(machine: MachineRun): Promise<Outcome> {
  const have = await machine.reader.observe();
  const plan = await machine.planner.planOnAll(have);
  tell(machine, driftSentence(driftOf(plan, have)));
  return { kind: 'observed', guest: 'guest' in have ? have.guest : undefined };
}

function tell({ reporting }: MachineRun, text: string | undefined): void {
  if (text !== undefined) reporting.warn(text);
}

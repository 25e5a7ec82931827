import { converge } from './converge';
import type { MachinePlan } from '../action';
import { emptyPlan } from '../action';
import { driftOf, driftSentence } from './drift';
import type { Report } from '../event';
import type { Run } from '../run/run';
import type { ObservedGuest } from '../observed';
import { waitingSentence } from '../report/plan-text';
import { MachineRun } from './machine-run';
import { waitForGuest } from './wait-for-guest';
import type { Wanted } from '../run/wanted';

/** What became of a machine: brought to its spec, only looked at, or not even that. */
export type Outcome =
  | { kind: 'as-wanted'; guest: ObservedGuest }
  /** `drift`: how it differs, in words; empty when it does not. */
  | { kind: 'observed'; guest: ObservedGuest | undefined; plan: MachinePlan; drift: string }
  | { kind: 'paused' };

/** Does for one machine what its mode allows: brings it to its spec, only reads it, or leaves it alone. */
export async function reconcileMachine(run: Run, wanted: Wanted, wasMade: () => boolean): Promise<Outcome> {
  const { spec } = wanted;
  if (spec.mode === 'paused') return { kind: 'paused' };
  const machine = new MachineRun(run, wanted);
  if (spec.mode === 'observe') return lookAt(machine);
  const { guest, waiting } = await converge(machine);
  const text = waitingSentence(waiting);
  if (text !== undefined) run.report({ kind: 'warning', machine: machine.id, text });
  if (wasMade()) await waitForGuest(run, spec, guest);
  return { kind: 'as-wanted', guest };
}

/** Reads a machine that is only observed. A machine that is not there is given no place and no id. */
export async function lookAt(machine: MachineRun): Promise<Extract<Outcome, { kind: 'observed' }>> {
  const have = await machine.observe();
  const plan = have.kind === 'absent' ? emptyPlan(machine.id) : await machine.plan(have);
  const guest = 'guest' in have ? have.guest : undefined;
  return { kind: 'observed', guest, plan, drift: driftOf(plan, have) };
}

/** Says what there is to know of a machine that was not written to. */
export function tellOf(machine: string, outcome: Outcome, report: Report): void {
  const text = outcome.kind === 'observed' ? driftSentence(outcome.drift) : undefined;
  if (text !== undefined) report({ kind: 'warning', machine, text });
  if (outcome.kind === 'paused')
    report({ kind: 'progress', machine, text: 'is paused: not read and not written.' });
}

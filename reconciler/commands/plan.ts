import type { MachinePlan } from '../action';
import { emptyPlan, isUnfinished } from '../action';
import { EXIT, exitCodeOfAll } from '../report/exit-code';
import type { Fleet } from '../run/fleet';
import { lookAt } from '../apply/reconcile-machine';
import { failureText } from '../report/failure-text';
import { planText } from '../report/plan-text';
import { Round } from '../apply/round';
import type { Wanted } from '../run/wanted';
import { withoutSecrets } from '../plan/without-secrets';
import { eachState, wantedBy } from './each-state';
import type { Options, Surroundings } from '../input/surroundings';
import { withFleet } from './with-fleet';

interface Planned {
  machine: string;
  plan?: MachinePlan;
  error?: unknown;
}

/** Tells what would change, machine by machine, and changes nothing. */
export async function plan(around: Surroundings, options: Options): Promise<number> {
  const planned = await eachState(options, around, (state, access) =>
    withFleet(access, around, state, fleet =>
      Promise.all(state.machines.map(spec => planOne(fleet, wantedBy(state.owner, spec, around)))),
    ),
  );
  around.signal.throwIfAborted();
  const plans = planned.flatMap(({ plan: made }) => (made ? [withoutSecrets(made)] : []));
  const failures = planned.filter(({ error }) => error !== undefined);
  const failed = failures.map(({ machine, error }) => ({ machine, error: failureText(error) }));
  const json = { machines: plans, ...(failed.length > 0 && { failed }) };
  around.out(`${options.json ? JSON.stringify(json) : planText(plans, failed.length)}\n`);
  failures.forEach(({ machine, error }) => around.reporter.say('error', failureText(error, machine)));
  if (failures.length > 0) return exitCodeOfAll(failures.map(({ error }) => error));
  const carriedOut = plans.filter(({ mode }) => mode === undefined);
  if (carriedOut.some(({ refusals }) => refusals.length > 0)) return EXIT.refused;
  return options.check && carriedOut.some(isUnfinished) ? EXIT.changes : EXIT.done;
}

async function planOne(fleet: Fleet, wanted: Wanted): Promise<Planned> {
  const { id: machine, mode } = wanted.spec;
  if (mode === 'paused') return { machine, plan: { ...emptyPlan(machine), mode } };
  try {
    const round = new Round(fleet, wanted);
    const plan = mode === 'observe' ? (await lookAt(round)).plan : await round.plan(await round.observe());
    return { machine, plan: mode === 'observe' ? { ...plan, mode } : plan };
  } catch (error) {
    fleet.signal.throwIfAborted();
    return { machine, error };
  }
}

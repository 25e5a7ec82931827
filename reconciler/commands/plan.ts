import { emptyPlan, isUnfinished, type MachinePlan } from '../action';
import { eachMachine } from '../run/each-machine';
import { EXIT, exitCodeOfAll } from '../report/exit-code';
import type { Run } from '../run/run';
import { failureText } from '../report/failure-text';
import { planColour } from '../report/colours';
import { planText } from '../report/plan-text';
import { MachineRun } from '../life/machine-run';
import type { Wanted } from '../run/wanted';
import { planJson, withoutSecrets } from '../plan/without-secrets';
import { sourcedStates } from '../input/sourced-states';
import { leftJson, tellOrphans, type Left } from './day2/tell-orphans';
import { eachRun, wantedIn } from './each-state';
import type { Options, Surroundings } from '../input/surroundings';

interface Planned {
  machine: string;
  plan?: MachinePlan;
  error?: unknown;
}

/** Tells what would change, machine by machine, and changes nothing. */
export async function plan(given: Surroundings, options: Options): Promise<number> {
  const { states, around } = await sourcedStates(options, {
    ...given,
    explains: options.explain === true,
    onlyReads: true,
  });
  const left: Left[] = [];
  const planned = await eachRun<Planned>(states, around, async (run, state, there) => {
    const plans = await eachMachine<Planned>(
      wantedIn(state, around),
      wanted => planOne(run, wanted),
      ({ spec }, error) => {
        run.signal.throwIfAborted();
        return { machine: spec.id, error };
      },
    );
    left.push(await tellOrphans(run, state, { there, all: states }, around, options));
    return plans;
  });
  around.signal.throwIfAborted();
  const plans = planned.flatMap(({ plan: made }) => (made ? [withoutSecrets(made)] : []));
  const failures = planned.filter(({ error }) => error !== undefined);
  const failed = failures.map(({ machine, error }) => ({ machine, error: failureText(error) }));
  const json = {
    machines: plans.map(planJson),
    ...(failed.length > 0 && { failed }),
    ...leftJson(left),
  };
  if (options.json) around.out(`${JSON.stringify(json)}\n`);
  else around.out(`${planText(plans, failed.length)}\n`, planColour);
  failures.forEach(({ machine, error }) => around.reporter.say('error', failureText(error, machine)));
  if (failures.length > 0) return exitCodeOfAll(failures.map(({ error }) => error));
  const carriedOut = plans.filter(({ mode }) => mode === undefined);
  if (carriedOut.some(({ refusals }) => refusals.length > 0)) return EXIT.refused;
  const isAsWanted = (plan: MachinePlan): boolean => !isUnfinished(plan) && plan.standsStill === undefined;
  return options.check && !carriedOut.every(isAsWanted) ? EXIT.changes : EXIT.done;
}

async function planOne(run: Run, wanted: Wanted): Promise<Planned> {
  const { id: machine, mode } = wanted.spec;
  if (mode === 'paused') return { machine, plan: { ...emptyPlan(machine), mode } };
  const { reader, planner } = new MachineRun(run, wanted);
  const plan = await planner.planOnAll(await reader.observe());
  return { machine, plan: mode === 'observe' ? { ...plan, mode } : plan };
}

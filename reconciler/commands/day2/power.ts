import { eachMachine } from '../../run/each-machine';
import { actionContext } from '../../life/action-context';
import { MachineRun } from '../../life/machine-run';
import { doPower, POWER_VERBS } from '../../apply/power-verbs';
import { InputError, RefusedError } from '../../errors';
import { unknownWord } from '../../input/known-word';
import { statesByHand } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import type { ObservedGuest } from '../../observed';
import { powerActions, powerWanted } from '../../plan/power-actions';
import { preflightPower } from '../../plan/preflight';
import { lookingAgain, readStatus, type PowerVerb } from '../../pve';
import { exitCodeOfAll } from '../../report/exit-code';
import type { Run } from '../../run/run';
import type { Wanted } from '../../run/wanted';
import { eachState, wantedIn } from '../each-state';
import { withRun } from '../with-run';
import { statesNaming } from './named-machines';
import { needWritable, presentGuest } from './present-guest';

type PowerOutcome = { machine: string; vmid: number; node: string; power: string } | { error: unknown };

/** Starts, stops or restarts machines by name, and tells what the next apply does about it. */
export async function power(
  given: Surroundings,
  options: Options,
  [word = '', ...machines]: string[],
): Promise<number> {
  const verb = verbNamed(word);
  const { states, around } = await statesByHand(options, given);
  const named = statesNaming(states, machines);
  const done = await eachState<PowerOutcome>(named, around, (state, access) => {
    const wanted = wantedIn(state, around).filter(({ spec }) => machines.includes(spec.id));
    wanted.forEach(needWritable);
    return withRun(access, around, state, run =>
      eachMachine<PowerOutcome>(
        wanted,
        one => powerOne(run, one, verb, around),
        ({ spec }, error) => ({ error: around.reporter.failed(spec.id, error) }),
      ),
    );
  });
  around.signal.throwIfAborted();
  const failed = done.flatMap(each => ('error' in each ? [each.error] : []));
  if (options.json) around.out(`${JSON.stringify({ machines: done.filter(each => !('error' in each)) })}\n`);
  return exitCodeOfAll(failed);
}

async function powerOne(
  run: Run,
  wanted: Wanted,
  verb: PowerVerb,
  around: Surroundings,
): Promise<PowerOutcome> {
  const { id: machine } = wanted.spec;
  const guest = await presentGuest(run, wanted);
  const { vmid, node } = guest;
  const denied = preflightPower(machine, guest, run.cluster);
  if (denied.length > 0) throw new RefusedError(denied);
  const machineRun = new MachineRun(run, wanted);
  const context = actionContext(machineRun, guest);
  const comesBack = async (): Promise<void> => {
    const never = await machineRun.planner.againstReboot({ ...guest, power: 'running' });
    if (never.length > 0) throw new RefusedError(never);
  };
  const end = await lookingAgain(() => doPower(verb, guest, context, comesBack));
  if (end.kind === 'refused') throw new RefusedError([{ machine, ...end.objection }]);
  const { status } = await readStatus(run.pve, guest);
  const said = `${machine}: ${end.stands}${end.kind === 'done' ? ' already: nothing was sent' : ''}.`;
  const next = verb === 'suspend' ? afterPause(wanted, status) : nextApply(wanted, guest, status);
  around.reporter.say('info', `${said}${next}`);
  return { machine, vmid, node, power: status };
}

/** What a spec that says the power will do about it; nothing where it agrees. */
function nextApply({ spec }: Wanted, { mark }: ObservedGuest, now: 'running' | 'stopped'): string {
  const [action] = powerActions(spec, now, mark).actions;
  if (action === undefined) return '';
  const does = now === 'stopped' ? 'starts it' : 'shuts it down';
  return ` The next apply ${does} again, as the spec says. To keep it so write power: ${now}, or power: unmanaged.`;
}

/** No apply lets a guest go on that stands still, and none ends well where the spec says that it runs. */
function afterPause({ spec }: Wanted, now: 'running' | 'stopped'): string {
  if (now === 'stopped' || powerWanted(spec) !== 'running') return '';
  return ' The next apply leaves it so, and fails, as the spec says that it runs. To keep it so write power: unmanaged; power resume lets it go on.';
}

function verbNamed(word: string): PowerVerb {
  if (isPowerVerb(word)) return word;
  throw new InputError(unknownWord('power', word, Object.keys(POWER_VERBS)));
}

function isPowerVerb(word: string): word is PowerVerb {
  return Object.hasOwn(POWER_VERBS, word);
}

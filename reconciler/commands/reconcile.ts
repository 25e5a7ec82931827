import type { DesiredState, MachineOutputs } from '../../spec';
import { counted, InterruptedError, RefusedError } from '../errors';
import { exitCodeOfAll } from '../report/exit-code';
import { keptImage } from '../mark/image-change';
import { machineOutputs } from '../outputs/machine';
import type { Pve } from '../pve';
import { reconcileMachines, type Ending, type Outcome } from '../life/reconcile-machine';
import { reasonText } from '../report/failure-text';
import { heldCounts } from '../report/plan-text';
import type { Reporter } from '../report/reporter';
import { seeGuest } from '../outputs/read-guest';
import { sourcedStates } from '../input/sourced-states';
import { tellRenamed } from './day2/renamed';
import { leftJson, tellOrphans, type Left } from './day2/tell-orphans';
import { eachRun, wantedIn } from './each-state';
import type { Options, Surroundings } from '../input/surroundings';

interface Failed {
  machine: string;
  error: unknown;
}

type Ended = { machine: string; kind: Outcome['kind']; waits?: true; outputs?: MachineOutputs } | Failed;

/** Brings Proxmox to the desired states, once, without Terraform. One machine's failure never stops the others. */
export async function reconcile(given: Surroundings, options: Options): Promise<number> {
  const { states, around } = await sourcedStates(options, { ...given, leavesOutUnknown: true });
  const { reporter, signal } = around;
  const left: Left[] = [];
  const ended = await eachRun<Ended>(states, around, async (run, state, there) => {
    const wanted = { there, all: states };
    await tellRenamed(run, state, wanted, around);
    const endings = await reconcileMachines(run, wantedIn(state, around));
    left.push(await tellOrphans(run, state, { ...wanted, hasRun: true }, around, options));
    if (!options.json) return endings;
    return Promise.all(endings.map(ending => withOutputs(run.lastingPve, state, ending, reporter)));
  });
  if (options.json) around.out(`${JSON.stringify({ ...outcomeJson(ended), ...leftJson(left) })}\n`);
  const failed = failuresOf(ended);
  // one machine's failure says all there is to say, and stays last
  if (ended.length > 1 || failed.length === 0) reporter.say('info', totals(ended));
  signal.throwIfAborted();
  return exitCodeOfAll(failed.map(({ error }) => error));
}

function failuresOf(ended: Ended[]): Failed[] {
  return ended.flatMap(end => ('error' in end ? [end] : []));
}

function totals(ended: Ended[]): string {
  const of = (kind: Outcome['kind']): number =>
    ended.filter(end => 'kind' in end && end.kind === kind).length;
  const named = ['failed', 'refused', 'interrupted'].map(what => {
    const names = failuresOf(ended).flatMap(each => (whatIs(each) === what ? [each.machine] : []));
    return names.length === 0 ? '' : `, ${names.length} ${what}: ${names.join(', ')}`;
  });
  const waiting = ended.filter(end => 'waits' in end && end.waits).length;
  const restarts = waiting === 0 ? '' : `, ${counted(waiting, 'waits', 'wait')} for a restart`;
  const asWanted = of('as-wanted') - waiting;
  return `${counted(asWanted, 'machine is', 'machines are')} as wanted${restarts}${named.join('')}${heldCounts(of('observed'), of('paused'))}.`;
}

function whatIs({ error }: Failed): string {
  if (error instanceof RefusedError) return 'refused';
  return error instanceof InterruptedError ? 'interrupted' : 'failed';
}

async function withOutputs(
  pve: Pve,
  { machines }: Pick<DesiredState, 'machines'>,
  ending: Ending,
  reporter: Reporter,
): Promise<Ended> {
  if ('error' in ending || ending.kind === 'paused' || ending.guest === undefined) return ending;
  const { machine, kind, guest } = ending;
  const waits = 'waits' in ending && { waits: ending.waits };
  try {
    const stays = keptImage(machines.find(({ id }) => id === machine) ?? {}, guest.mark);
    const outputs = machineOutputs({ ...(await seeGuest(pve, guest)), keptImage: stays });
    return { machine, kind, ...waits, outputs };
  } catch (error) {
    return { machine, error: reporter.failed(machine, error) };
  }
}

function outcomeJson(ended: Ended[]): object {
  const machines = ended.flatMap(end => ('outputs' in end ? [[end.machine, end.outputs] as const] : []));
  const failed = failuresOf(ended).map(({ machine, error }) => ({ machine, error: reasonText(error) }));
  return { machines: Object.fromEntries(machines), ...(failed.length > 0 && { failed }) };
}

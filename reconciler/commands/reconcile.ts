import type { MachineOutputs } from '../../spec';
import { exitCodeOfAll } from '../exit-code';
import { machineOutputs } from '../outputs';
import type { Pve } from '../pve';
import { reconcile as reconcileOne, type Ending } from '../reconcile';
import type { Outcome } from '../reconcile-machine';
import { failureText } from '../report/failure-text';
import { heldCounts } from '../report/plan-text';
import { seeGuest } from '../see-guest';
import { eachState } from './each-state';
import type { Options, Surroundings } from './surroundings';
import { withPve } from './with-fleet';

type Ended =
  { machine: string; kind: Outcome['kind']; outputs?: MachineOutputs } | { machine: string; error: unknown };

/** Brings Proxmox to the desired states, once, without Terraform. One machine's failure never stops the others. */
export async function reconcile(around: Surroundings, options: Options): Promise<number> {
  const { environment, reporter, signal } = around;
  const ended = await eachState<Ended>(
    options,
    { ...around, leavesOutUnknown: true },
    (state, { pve: way, preferredNodes }) =>
      withPve(way, async pve => {
        const given = { environment, preferredNodes };
        const endings = await reconcileOne(state, pve, reporter.report, signal, given);
        return options.json ? Promise.all(endings.map(ending => withOutputs(pve, ending))) : endings;
      }),
  );
  const failed = ended.flatMap(end => ('error' in end ? [end] : []));
  if (options.json) around.out(`${JSON.stringify(outputsJson(ended))}\n`);
  reporter.say('info', totals(ended, failed.length));
  signal.throwIfAborted();
  failed.forEach(({ machine, error }) => reporter.say('error', failureText(error, machine)));
  return exitCodeOfAll(failed.map(({ error }) => error));
}

function totals(ended: Ended[], failed: number): string {
  const of = (kind: Outcome['kind']): number =>
    ended.filter(end => 'kind' in end && end.kind === kind).length;
  return `${machinesAre(of('as-wanted'))} as wanted, ${isAre(failed)} not${heldCounts(of('observed'), of('paused'))}.`;
}

function machinesAre(count: number): string {
  return count === 1 ? '1 machine is' : `${count} machines are`;
}

function isAre(count: number): string {
  return `${count} ${count === 1 ? 'is' : 'are'}`;
}

async function withOutputs(pve: Pve, ending: Ending): Promise<Ended> {
  if ('error' in ending || ending.kind === 'paused' || ending.guest === undefined) return ending;
  const { machine, kind, guest } = ending;
  try {
    return { machine, kind, outputs: machineOutputs(await seeGuest(pve, guest)) };
  } catch (error) {
    return { machine, error };
  }
}

function outputsJson(ended: Ended[]): object {
  const machines = ended.flatMap(end => ('outputs' in end ? [[end.machine, end.outputs] as const] : []));
  return { machines: Object.fromEntries(machines) };
}

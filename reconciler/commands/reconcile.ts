import type { MachineSpec } from '../../spec';
import { converge } from '../converge';
import { exitCodeOfAll } from '../exit-code';
import type { Fleet } from '../fleet';
import type { ObservedGuest } from '../observed';
import { machineOutputs } from '../outputs';
import { failureText } from '../report/failure-text';
import { Round } from '../round';
import { seeGuest } from '../see-guest';
import { waitForGuest } from '../wait-for-guest';
import { eachState, wantedBy } from './each-state';
import type { Options, Surroundings } from './surroundings';
import { withFleet } from './with-fleet';

type Ended = { spec: MachineSpec; outputs?: object } | { spec: MachineSpec; error: unknown };

/** Brings Proxmox to the desired states, once, without Terraform. One machine's failure never stops the others. */
export async function reconcile(around: Surroundings, options: Options): Promise<number> {
  const ended = await eachState(options, around, (state, access) =>
    withFleet(access, around, state, fleet =>
      Promise.all(
        state.machines.map(async (spec): Promise<Ended> => {
          try {
            const guest = await converge(new Round(fleet, wantedBy(state.owner, spec, around)));
            if (around.reporter.underWay.born.has(spec.id)) await waitForGuest(fleet, spec, guest);
            return options.json ? { spec, outputs: await outputsOf(fleet, guest) } : { spec };
          } catch (error) {
            return { spec, error };
          }
        }),
      ),
    ),
  );
  const failed = ended.flatMap(end => ('error' in end ? [end] : []));
  if (options.json) around.out(`${JSON.stringify(outputsJson(ended))}\n`);
  around.reporter.say(
    'info',
    `${ended.length - failed.length} machines are as wanted, ${failed.length} are not.`,
  );
  if (around.signal.aborted) return exitCodeOfAll([around.signal.reason]);
  failed.forEach(({ spec, error }) => around.reporter.say('error', failureText(error, spec.id)));
  return exitCodeOfAll(failed.map(({ error }) => error));
}

async function outputsOf({ pve }: Fleet, guest: ObservedGuest): Promise<object> {
  return machineOutputs(await seeGuest(pve, guest));
}

function outputsJson(ended: Ended[]): object {
  const machines = ended.flatMap(end => ('outputs' in end ? [[end.spec.id, end.outputs] as const] : []));
  return { machines: Object.fromEntries(machines) };
}

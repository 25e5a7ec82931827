import * as z from 'zod';
import { ApplyEnvironment } from '../../spec';
import { costsMore } from '../plan/cost';
import { InputError } from '../errors';
import { EXIT } from '../report/exit-code';
import type { Run } from '../run/run';
import { secretsOf } from '../config/machine-secrets';
import type { Wanted } from '../run/wanted';
import { reconcileMachine, tellOf } from '../apply/reconcile-machine';
import { tokenOf } from '../plan/token';
import { readJson } from '../input/read-json';
import type { Surroundings } from '../input/surroundings';
import { ableClusterOf, fleetOf, machineOf, variablesOf } from '../input/wire-input';
import { withOneRun } from './with-run';

/** Brings one machine of Terraform to its spec. Refuses what costs more than the plan showed. */
export async function apply(around: Surroundings): Promise<number> {
  const given = variablesOf(around.environment, ApplyEnvironment);
  const cluster = ableClusterOf(given.PROXMOX_CLUSTER);
  const spec = machineOf(given.PROXMOX_SPEC, cluster);
  if (spec.id !== given.PROXMOX_MACHINE) {
    throw new InputError(
      `PROXMOX_MACHINE is '${given.PROXMOX_MACHINE}', and the spec is of '${spec.id}'. Synthesize the stack again.`,
    );
  }
  const wanted = wantedOf(given, spec, around);
  const fleet = { owner: given.PROXMOX_OWNER, machines: [], ...fleetOf(given.PROXMOX_FLEET) };
  if (spec.mode === 'paused') {
    tellOf(spec.id, { kind: 'paused' }, around.reporter.report);
    return EXIT.done;
  }
  const work = async (run: Run): Promise<void> => {
    const { made } = around.reporter.inProgress;
    const outcome = await reconcileMachine(run, wanted, () => made.has(spec.id));
    tellOf(spec.id, outcome, around.reporter.report);
  };
  await withOneRun(cluster, around, work, fleet);
  return EXIT.done;
}

function wantedOf(given: ApplyEnvironment, spec: Wanted['spec'], { environment }: Surroundings): Wanted {
  const { PROXMOX_OWNER: owner, PROXMOX_ENTRY: entry, PROXMOX_TOKEN: token } = given;
  const { node, vmid, worst } = tokenOf(token);
  const ids = [spec.id, ...formerIds(given.PROXMOX_FORMER), ...(spec.formerIds ?? [])];
  return {
    spec,
    identity: { owner, ids: [...new Set(ids)], ...(entry === '' ? {} : { entry }) },
    ...(token === '' ? {} : { token }),
    ...(node === undefined ? {} : { node }),
    ...(vmid === undefined ? {} : { vmid }),
    ...(worst === undefined ? {} : { objection: (plan, have) => costsMore({ worst, token }, plan, have) }),
    secrets: secretsOf(spec, environment),
  };
}

function formerIds(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const ids = z.array(z.string()).safeParse(readJson(text, 'PROXMOX_FORMER'));
  if (!ids.success)
    throw new InputError('PROXMOX_FORMER is no JSON list of ids. Synthesize the stack again.');
  return ids.data;
}

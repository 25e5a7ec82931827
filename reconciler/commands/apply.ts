import { ApplyEnvironment, readsAddress, type NodeSpec } from '../../spec';
import { objectionBy } from '../plan/shown/cost';
import { InputError } from '../errors';
import { idsOf } from '../mark/identity';
import { EXIT } from '../report/exit-code';
import { secretsOf } from '../config/cloud-init-secrets';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';
import { PAUSED, reconcileMachine } from '../life/reconcile-machine';
import { factsInToken, tokenOf } from '../plan/shown/token';
import { formerIdsOf, ableClusterOf, fleetOf, machineOf, variablesOf } from '../input/wire-input';
import type { Surroundings } from '../input/surroundings';
import { withUnreadRun } from './with-run';

/** Brings one machine of Terraform to its spec (by hand that is `reconcile`), or takes one snapshot. Refuses what costs more than the plan showed. */
export async function apply(around: Surroundings): Promise<number> {
  if (around.environment['PROXMOX_SNAPSHOT'] !== undefined) {
    const { applySnapshot } = await import('./snapshot/of-terraform.js');
    return applySnapshot(around);
  }
  const { PROXMOX_PROTOCOL, PROXMOX_SPEC, PROXMOX_MACHINE } = around.environment;
  if ((PROXMOX_PROTOCOL ?? PROXMOX_SPEC ?? PROXMOX_MACHINE) === undefined)
    throw new InputError(
      'Terraform calls apply, and gives it its machine. By hand write: pve-reconciler reconcile --spec FILE. Nothing was sent.',
    );
  const given = variablesOf(around.environment, ApplyEnvironment);
  const cluster = ableClusterOf(given.PROXMOX_CLUSTER);
  const spec = machineOf(given.PROXMOX_SPEC, cluster);
  if (spec.id !== given.PROXMOX_MACHINE) {
    throw new InputError(
      `PROXMOX_MACHINE is '${given.PROXMOX_MACHINE}', and the spec is of '${spec.id}'. Synthesize the stack again.`,
    );
  }
  const fleet = { owner: given.PROXMOX_OWNER, machines: [], ...fleetOf(given.PROXMOX_FLEET), isPart: true };
  const wanted = wantedByTerraform(given, spec, fleet.nodes ?? [], around);
  if (spec.mode === 'paused') {
    around.reporter.report({ kind: 'progress', machine: spec.id, text: PAUSED });
    return EXIT.done;
  }
  const reconcile = (run: Run): Promise<unknown> => {
    // its plan was made with this endpoint
    if (wanted.token !== undefined) run.shared.pve.trust();
    return reconcileMachine(run, wanted);
  };
  await withUnreadRun(cluster, around, fleet, reconcile);
  return EXIT.done;
}

function wantedByTerraform(
  given: ApplyEnvironment,
  spec: Wanted['spec'],
  nodes: readonly NodeSpec[],
  { environment }: Surroundings,
): Wanted {
  const { PROXMOX_OWNER: owner, PROXMOX_ENTRY: entry, PROXMOX_TOKEN: token } = given;
  const isUnshown = (given.PROXMOX_UNSHOWN ?? '') !== '';
  const shown = tokenOf(token);
  const { node, vmid, worst, losses, generation, found, adopts } = shown;
  const facts = factsInToken(shown, spec, nodes);
  const formerIds = new Set([...formerIdsOf(given.PROXMOX_FORMER), ...(spec.formerIds ?? [])]);
  formerIds.delete(spec.id);
  const ids = idsOf({ id: spec.id, formerIds: [...formerIds] });
  return {
    spec,
    identity: { owner, ids, ...(entry === '' ? {} : { entry }) },
    ...(token === '' ? {} : { token }),
    ...(facts === undefined ? {} : { factsInToken: facts }),
    ...(node === undefined ? {} : { node }),
    ...(vmid === undefined ? {} : { vmid }),
    ...(worst === undefined
      ? {}
      : { objection: objectionBy({ worst, token, losses, generation, found, adopts, isUnshown }) }),
    readsAddress: readsAddress(given.PROXMOX_READS),
    secrets: secretsOf(spec, environment),
  };
}

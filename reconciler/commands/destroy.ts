import { DestroyEnvironment } from '../../spec';
import { destroyMachine, DESTROY_TEXTS } from '../apply/destroy/destroy';
import { InputError } from '../errors';
import type { Identity } from '../mark/identity';
import { EXIT } from '../report/exit-code';
import { sourceOf } from '../input/sourced-states';
import type { Options, Surroundings } from '../input/surroundings';
import { clusterOf, variablesOf } from '../input/wire-input';
import { DESIRED } from './verb';
import { withUnreadRun } from './with-run';

/** What says nothing to the destroy that Terraform calls, each as it is written on a line. */
const UNUSED = [
  ...DESIRED.map(name => [name, name] as const),
  ['yes', 'yes'],
  ['withKeptVolumes', 'with-kept-volumes'],
] as const;

/**
 * Removes machines that a person names, or what Terraform does: one machine, or one snapshot. It is known by no
 * spec: only whose it is.
 */
export async function destroy(
  around: Surroundings,
  options: Options = {},
  machines: readonly string[] = [],
): Promise<number> {
  if (machines.length > 0) {
    // Terraform calls this for each machine, and needs nothing of it
    const { destroyNamed } = await import('./day2/destroy-named.js');
    return destroyNamed(around, options, [...new Set(machines)]);
  }
  const unused = UNUSED.find(([name]) => options[name] !== undefined);
  if (unused !== undefined)
    throw new InputError(
      `--${unused[1]} needs the names of machines: pve-reconciler destroy web --spec FILE.`,
    );
  const { PROXMOX_PROTOCOL, PROXMOX_MACHINE } = around.environment;
  if ((PROXMOX_PROTOCOL ?? PROXMOX_MACHINE) === undefined)
    throw new InputError(
      'destroy needs the names of machines: pve-reconciler destroy web --spec FILE. Without them Terraform calls it. Nothing was sent.',
    );
  const wire = variablesOf(around.environment, DestroyEnvironment);
  if (wire.PROXMOX_SNAPSHOT !== undefined) {
    const { destroySnapshot } = await import('./snapshot/of-terraform.js');
    return destroySnapshot(wire, around);
  }
  const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: machine, PROXMOX_ENTRY: entry } = wire;
  const asks =
    entry === ''
      ? { sources: sourcesOf(around, options) }
      : { entry, mustHold: true, mayBeRenamed: (wire.PROXMOX_MAY_BE_RENAMED ?? '') !== '' };
  const identity: Identity = { owner, ids: [machine], ...asks };
  const outcome = await withUnreadRun(clusterOf(wire.PROXMOX_CLUSTER), around, undefined, run => {
    // its entry was made by way of this endpoint
    if (entry !== '') run.shared.pve.trust();
    return destroyMachine(run, identity);
  });
  around.reporter.say('info', `${machine}: ${DESTROY_TEXTS[outcome]}`);
  return EXIT.done;
}

/** Without an entry a person calls it: what a Kubernetes holds stays, unless its name is given. */
function sourcesOf({ environment }: Surroundings, { source }: Options): readonly string[] {
  return sourceOf(source === undefined ? {} : { source }, environment)?.names ?? [];
}

import { DestroyEnvironment } from '../../spec';
import { destroyMachine, type Fate } from '../destroy/destroy';
import { EXIT } from '../report/exit-code';
import type { Surroundings } from '../input/surroundings';
import { clusterOf, variablesOf } from '../input/wire-input';
import { withOneRun } from './with-run';

const SAID: Record<Fate, string> = {
  destroyed: 'destroyed',
  'already-gone': 'is already gone',
  'not-ours': 'nothing was done',
};

/** Removes one machine of Terraform. It knows no spec: only whose machine it is. */
export async function destroy(around: Surroundings): Promise<number> {
  const given = variablesOf(around.environment, DestroyEnvironment);
  const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: machine, PROXMOX_ENTRY: entry } = given;
  const identity = { owner, ids: [machine], ...(entry === '' ? {} : { entry }) };
  const fate = await withOneRun(clusterOf(given.PROXMOX_CLUSTER), around, run =>
    destroyMachine(run, identity),
  );
  around.reporter.say('info', `${machine}: ${SAID[fate]}`);
  return EXIT.done;
}

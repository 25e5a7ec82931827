import { ObserveQuery, machinesOf, snapshotsOf } from '../../../spec';
import { InputError } from '../../errors';
import { EXIT } from '../../report/exit-code';
import { visibleTexts } from '../../report/visible';
import { accessForOne } from '../with-run';
import type { Surroundings } from '../../input/surroundings';
import { ableClusterOf, fleetOf, queryOf } from '../../input/wire-input';

/** What a query may hold: its own fields, three for each machine, and one for each snapshot. */
const KNOWN = new RegExp(
  `^(?:${Object.keys(ObserveQuery.shape).join('|')}|(?:spec|entry|reads|snapshot)\\..*)$`,
  's',
);

/**
 * Tells Terraform (its external provider) how each machine stands, and writes nothing to Proxmox. A machine that is wrong,
 * not known yet or out of reach is reported as such and never hides the others. What is said: observations.ts, of one
 * machine observation.ts.
 */
export async function observe(around: Surroundings): Promise<number> {
  const query = queryOf(await around.readInput(), ObserveQuery);
  const machines = machinesOf(query);
  if (machines.some(({ id }) => id === '')) {
    throw new InputError('the query names a machine without an id ("spec."). Synthesize the stack again.');
  }
  const unknown = Object.keys(query).filter(key => !KNOWN.test(key));
  if (unknown.length > 0) {
    throw new InputError(
      `the query holds what nothing reads: ${unknown.join(', ')}. Synthesize the stack again.`,
    );
  }
  const fleet = fleetOf(query.fleet);
  const access = accessForOne(ableClusterOf(query.cluster), around);
  // a run that fails before here pays for no client and no planning
  const { observations } = await import('./observations.js');
  const answer = await observations(
    { ...query, machines, snapshots: snapshotsOf(query), fleet },
    access,
    around,
  );
  // Terraform shows the texts that it reads from this
  around.out(`${JSON.stringify(visibleTexts(answer))}\n`);
  return EXIT.done;
}

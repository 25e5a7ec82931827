import type { ClusterStatus } from '../../spec';
import { FactsQuery } from '../../spec';
import { RefusedError } from '../errors';
import { EXIT } from '../report/exit-code';
import type { Run } from '../run/run';
import { observeMachine } from '../observe/machine';
import { clusterStatus } from '../outputs/cluster';
import { listResources } from '../pve';
import { requiredOutputs } from '../outputs/required';
import { seeGuest } from '../outputs/read-guest';
import { visibleTexts } from '../report/visible';
import type { Surroundings } from '../input/surroundings';
import { clusterOf, queryOf } from '../input/wire-input';
import { withOneRun } from './with-run';

/** Tells Terraform what is known of a machine, or of the cluster: JSON texts in a flat map, without times and load. */
export async function facts(around: Surroundings): Promise<number> {
  const query = queryOf(await around.readInput(), FactsQuery);
  const told = await withOneRun<object>(clusterOf(query.cluster), around, async run => {
    await run.read();
    return query.machine === undefined
      ? clusterFacts(run)
      : machineFacts(run, query.owner, query.machine, namesIn(query.required));
  });
  const texts = Object.entries(told).map(([name, value]) => [
    name,
    // Terraform shows the texts that it reads from this
    JSON.stringify(visibleTexts(value)),
  ]);
  around.out(`${JSON.stringify(Object.fromEntries(texts))}\n`);
  return EXIT.done;
}

async function clusterFacts({ pve, cluster }: Run): Promise<ClusterStatus> {
  return clusterStatus(cluster, await listResources(pve), { usage: false });
}

/** Nothing for a machine that is absent. */
async function machineFacts(
  { pve, cluster, names }: Run,
  owner: string,
  machine: string,
  required: string[],
): Promise<object> {
  const sought = { identity: { owner, ids: [machine] }, name: machine, vmid: undefined, adopt: false };
  const have = await observeMachine(pve, cluster, sought, names);
  if (have.kind === 'refused') {
    const { kind: _, ...objection } = have;
    throw new RefusedError([{ machine, ...objection }]);
  }
  return have.kind === 'present' ? requiredOutputs(machine, await seeGuest(pve, have.guest), required) : {};
}

function namesIn(list = ''): string[] {
  return list.split(',').filter(name => name !== '');
}

import { FactsQuery, type ClusterStatus, type MachineOutputs } from '../../spec';
import { RefusedError, MissingOutputError } from '../errors';
import { EXIT } from '../report/exit-code';
import type { Run } from '../run/run';
import { observeMachine } from '../observe/machine';
import { clusterStatus } from '../outputs/cluster';
import { listResources } from '../pve';
import { seeGuest } from '../outputs/read-guest';
import { visibleTexts } from '../report/visible';
import type { Surroundings } from '../input/surroundings';
import { clusterOf, queryOf } from '../input/wire-input';
import { withOneRun } from './with-run';
import { machineOutputs, type Seen } from '../outputs/machine';

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

/** The outputs of a machine that is there, or an error when one that somebody reads has no value. */
function requiredOutputs(machine: string, seen: Seen, required: readonly string[]): MachineOutputs {
  const outputs = machineOutputs(seen);
  const known = new Map<string, unknown>(Object.entries(outputs));
  const missing = required.filter(name => isEmpty(known.get(name)));
  if (missing.length === 0) return outputs;
  throw new MissingOutputError(machine, missing, reason(seen));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function reason({ guest: { vmid, node, pending }, interfaces, powerState }: Seen): string {
  const place = `guest ${vmid} on ${node}`;
  if (powerState !== 'running') return `${place} is ${powerState}`;
  if (typeof interfaces !== 'string') return `the agent of ${place} answers, and has no address yet`;
  if (pending['agent'] !== undefined) return `${place} gets the agent's device with its next restart`;
  return `${place}: ${interfaces}`;
}

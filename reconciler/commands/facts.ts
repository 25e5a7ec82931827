import { ALWAYS, FactsQuery, milliseconds, type ClusterStatus, type MachineOutputs } from '../../spec';
import { RefusedError, MissingOutputError } from '../errors';
import type { Identity } from '../mark/identity';
import { EXIT } from '../report/exit-code';
import type { Run } from '../run/run';
import { observeMachine } from '../observe/machine';
import { clusterStatus } from '../outputs/cluster';
import { listResources, readStatus, steady, waitUntil } from '../pve';
import { agentMissing, interfacesOf, isNotAllowed, seeGuest, tellsAddress } from '../outputs/read-guest';
import { visibleTexts } from '../report/visible';
import type { Surroundings } from '../input/surroundings';
import { templatesOfImages } from '../input/images-of-documents';
import { clusterOf, queryOf } from '../input/wire-input';
import { existingFacts, existingOf } from './existing-facts';
import { withUnreadRun } from './with-run';
import { machineOutputs, type OutputFacts } from '../outputs/machine';
import { waitingAddresses } from '../outputs/waiting-addresses';

/** Tells Terraform what is known of a machine, or of the cluster: JSON texts in a flat map, without times and load. (What a plan asks: machine/facts.ts.) */
export async function facts(around: Surroundings): Promise<number> {
  const query = queryOf(await around.readInput(), FactsQuery);
  if (query.images !== undefined) {
    around.out(`${JSON.stringify(templatesOfImages({ ...query, images: query.images }))}\n`);
    return EXIT.done;
  }
  if (query.existing !== undefined) {
    const wanted = existingOf(query.existing);
    const answer = await withUnreadRun(clusterOf(query.cluster), around, undefined, async run => {
      await run.read();
      return existingFacts(run, wanted);
    });
    around.out(`${JSON.stringify(answer)}\n`);
    return EXIT.done;
  }
  const told = await withUnreadRun<object>(clusterOf(query.cluster), around, undefined, async run => {
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
async function machineFacts(run: Run, owner: string, machine: string, required: string[]): Promise<object> {
  const { pve, cluster, nodeLists } = run;
  // no entry is told to facts; it only reads
  const identity: Identity = { owner, ids: [machine], isOfTerraform: true };
  const sought = { identity, name: machine, vmid: undefined, adopt: false, heals: true };
  const have = await observeMachine(pve, cluster, sought, nodeLists);
  if (have.kind === 'refused') {
    const { kind: _, ...objection } = have;
    throw new RefusedError([{ machine, ...objection }]);
  }
  if (have.kind !== 'present') return {};
  const seen = await seeGuest(pve, have.guest);
  const told = withWaiting(seen, withLastKnown(seen));
  if (namesMissing(told, required).length === 0) return told;
  const later = withWaiting(seen, withLastKnown({ ...seen, interfaces: await interfacesSoon(run, seen) }));
  const missing = namesMissing(later, required);
  if (missing.length > 0) throw new MissingOutputError(machine, missing, reason(seen));
  return later;
}

/** What the agent says of a guest that was started a short time ago, once it tells an address; else what it said. */
async function interfacesSoon(
  { pve, signal }: Run,
  { guest, interfaces, powerState }: OutputFacts,
): Promise<OutputFacts['interfaces']> {
  const isInVain = agentMissing(guest) !== undefined || isNotAllowed(interfaces);
  if (powerState !== 'running' || isInVain) return interfaces;
  const { uptime } = await readStatus(pve, guest);
  const until = performance.now() + milliseconds(ALWAYS.timeouts.agent) - 1000 * (uptime ?? 0);
  let last = interfaces;
  const isThere = async (): Promise<true | undefined> => {
    last = await interfacesOf(pve, guest, powerState);
    return tellsAddress(last, guest) || undefined;
  };
  if (until > performance.now()) await waitUntil(isThere, { pauses: steady(pve.config.poll), until, signal });
  return last;
}

function namesIn(list = ''): string[] {
  return list.split(',').filter(name => name !== '');
}

/** The outputs of a machine that is there, with the addresses that were last known where its guest tells none. */
function withLastKnown(seen: OutputFacts): MachineOutputs & { staleAddresses?: string } {
  const outputs = machineOutputs(seen);
  const known = seen.guest.mark?.addresses ?? [];
  if (outputs.ipAddresses.length > 0 || known.length === 0) return outputs;
  const staleAddresses = `${known.join(', ')} is what was last known: ${reason(seen)}`;
  return { ...outputs, ipAddresses: known, staleAddresses };
}

/** The same, with the addresses that come with the next restart: what it has is reported beside them. */
function withWaiting<T extends MachineOutputs>(
  { guest }: OutputFacts,
  outputs: T,
): T & { waitingAddresses?: string } {
  const waits = waitingAddresses(guest, outputs.ipAddresses);
  return waits === undefined ? outputs : { ...outputs, waitingAddresses: waits };
}

/** Which outputs that somebody reads have no value. */
function namesMissing(outputs: object, required: readonly string[]): string[] {
  const known = new Map<string, unknown>(Object.entries(outputs));
  return required.filter(name => isEmpty(known.get(name)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function reason({ guest: { vmid, node, pending }, interfaces, powerState }: OutputFacts): string {
  const place = `guest ${vmid} on ${node}`;
  if (powerState !== 'running') return `${place} is ${powerState}`;
  if (typeof interfaces !== 'string') return `the agent of ${place} answers, and has no address yet`;
  if (pending['agent'] !== undefined) return `${place} gets the agent's device with its next restart`;
  return `${place}: ${interfaces}`;
}

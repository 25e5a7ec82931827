import {
  flatObservations,
  knownFleetMachine,
  SPEC_VERSION,
  formatProblems,
  parseDesiredState,
  type FleetMachine,
  type FleetSpec,
  type Observation,
  type machinesOf,
  type snapshotsOf,
  type ClusterSpec,
  type Problem,
} from '../../../spec';
import { eachMachine } from '../../run/each-machine';
import { MachineRun } from '../../life/machine-run';
import type { ClusterAccess } from '../../config/cluster-access';
import { secretsOf } from '../../config/cloud-init-secrets';
import type { Surroundings } from '../../input/surroundings';
import type { ObservedGuest, ObservedMachine } from '../../observed';
import { interfacesOf, tellsAddress } from '../../outputs/read-guest';
import { PveError, isOneLess } from '../../pve';
import { oneLine } from '../../report/visible';
import { heldGuests } from '../../run/reads/held-guests';
import type { Run } from '../../run/run';
import { wantedOf, type Wanted } from '../../run/wanted';
import { readAsked, type AskedMachine } from '../../input/asked-machine';
import { readAskedSnapshots, type AskedSnapshots } from '../../input/asked-snapshots';
import { snapshotAnswers } from './snapshot-answers';
import { awaitsAddress, held, notKnownYet, observation, observedOnly, refused } from './observation';
import { withRun } from '../with-run';
import { walkOf } from './walk-of';

export interface Query {
  owner: string;
  machines: ReturnType<typeof machinesOf>;
  snapshots: ReturnType<typeof snapshotsOf>;
  /** Machines that are placed together with those of the query, and what is said about nodes. */
  fleet: FleetSpec | undefined;
}

/** What was seen while machines were read: their guests, and the ids of those with a disk to be moved. */
interface Seen {
  guests: ObservedGuest[];
  moving: Set<string>;
}

/** How each machine and each snapshot of a query stands, and which guests the owner has: as Terraform reads it. */
export function observations(
  { owner, machines, snapshots, fleet: said }: Query,
  access: ClusterAccess,
  around: Surroundings,
): Promise<Record<string, string>> {
  const asked = machines.map(machine => readAsked(machine, access.cluster));
  const taken = readAskedSnapshots(snapshots, asked);
  const fleet = { owner, ...said, ...togetherWith(said, asked) };
  return withRun(access, { ...around, onlyReads: true }, fleet, async run => {
    const wrong = contradictions(asked, said?.machines ?? [], owner, access.cluster);
    const staying = new Set([...machines, ...fleet.machines].map(({ id }) => id));
    const told = new Map(asked.map(one => [one.id, toldUnread(one, wrong.get(one.id))]));
    const toRead = asked.filter(({ id }) => told.get(id) === undefined);
    const seen: Seen = { guests: [], moving: new Set() };
    const read = await eachMachine(
      toRead.flatMap(one => wantedFor(one, owner, { staying, taken }, around)),
      async wanted => [wanted.spec.id, await observed(run, wanted, seen)] as const,
      (wanted, error) => [wanted.spec.id, notRead(wanted, error)] as const,
    );
    read.forEach(([id, answer]) => told.set(id, answer));
    for (const { id, problems } of asked.filter(one => told.get(one.id)?.status === 'unknown'))
      told.set(id, notKnownYet(problems, await nodeOfUnknown(run, id)));
    const ofSnapshots = await snapshotAnswers(run, owner, taken, { told, moving: seen.moving });
    // who observes one machine of many leaves the others to the observer that they share
    const reads = !fleet.isPart || fleet.machines.length <= 1;
    const guests = await heldGuests(run, { owner, ids: staying, seen: seen.guests, reads });
    const answers = [...told].flatMap(([id, answer]) =>
      answer === undefined ? [] : [[id, answer] as const],
    );
    return {
      ...flatObservations(Object.fromEntries(answers)),
      ...ofSnapshots,
      guests: JSON.stringify(guests),
      refusedAlone: answers
        .flatMap(([id, { alone }]) => (alone === '' ? [] : `machine ${id}: ${alone}`))
        .join('\n'),
      ...walkOf(around),
    };
  });
}

/** All machines that the query knows of. A query of one machine is one of many, as the module asks. */
function togetherWith(said: FleetSpec | undefined, asked: readonly AskedMachine[]) {
  const named = new Set(said?.machines.map(({ id }) => id));
  const own = asked.filter(({ id }) => !named.has(id)).flatMap(placedOf);
  return { machines: [...(said?.machines ?? []), ...own], isPart: asked.length === 1 };
}

/** What placement knows of a machine; nothing of one that is wrong. */
function placedOf({ spec, json, isDeferred }: AskedMachine): FleetMachine[] {
  return spec ? [spec] : isDeferred ? [knownFleetMachine(json)] : [];
}

/** Where a new machine goes of which only a part is known: its apply keeps to that while it fits. */
async function nodeOfUnknown(run: Run, id: string): Promise<string | undefined> {
  const machine = run.places.absent().find(one => one.id === id);
  if (machine === undefined) return undefined;
  try {
    const choice = await run.places.placeOf(machine, {});
    return 'node' in choice ? choice.node : undefined;
  } catch (error) {
    // its apply chooses then, and tells what is wrong
    if (error instanceof PveError && error.kind !== 'unauthenticated') return undefined;
    throw error;
  }
}

/** What is told of a machine without reading it; undefined: it is read. */
function toldUnread(
  { id, spec, problems, isDeferred }: AskedMachine,
  contradiction: string | undefined,
): Observation | undefined {
  if (contradiction !== undefined) return refused(contradiction);
  if (spec === undefined) return isDeferred ? notKnownYet(problems) : refused(problems);
  if (spec.id !== id) return refused(`spec.${id} is the spec of '${spec.id}'. Synthesize the stack again.`);
  return spec.mode === 'paused' ? held('paused') : undefined;
}

function wantedFor(
  { spec, entry, readsAddress }: AskedMachine,
  owner: string,
  { staying, taken }: { staying: ReadonlySet<string>; taken: readonly AskedSnapshots[] },
  { environment }: Surroundings,
): Wanted[] {
  if (spec === undefined) return [];
  const { identity, ...wanted } = wantedOf({ owner }, spec, secretsOf(spec, environment));
  return [
    {
      ...wanted,
      readsAddress,
      staying,
      keepsSnapshots: taken.some(({ machine }) => machine === spec.id),
      identity: { ...identity, isOfTerraform: true, ...(entry === undefined ? {} : { entry }) },
    },
  ];
}

async function observed(run: Run, wanted: Wanted, seen: Seen): Promise<Observation> {
  const { reader, planner } = new MachineRun(run, wanted);
  const have = await reader.observe();
  if ('guest' in have) seen.guests.push(have.guest);
  const plan = await planner.planOnAll(have);
  if (plan.actions.some(({ kind }) => kind === 'move-disk')) seen.moving.add(wanted.spec.id);
  if (wanted.spec.mode === 'observe') return observedOnly(plan, have);
  const told = observation(plan, have);
  const lacks = wanted.readsAddress === true && told.status === 'in-sync' && (await lacksAddress(run, have));
  return lacks ? awaitsAddress(plan, have) : told;
}

/** Whether nobody knows an address of it: none was noted, and its guest tells none now. */
async function lacksAddress({ pve }: Run, have: ObservedMachine): Promise<boolean> {
  if (have.kind !== 'present' || have.guest.mark?.addresses !== undefined) return false;
  return !tellsAddress(await interfacesOf(pve, have.guest, have.guest.power), have.guest);
}

/** Wrong credentials concern all machines; anything else only this one, whose plan then fails with the reason. */
function notRead({ spec }: Wanted, error: unknown): Observation {
  if (!isOneLess(error)) throw error;
  const said = `cannot be read: ${oneLine(error.message)}`;
  return spec.mode === 'observe' ? held('observed', said) : refused(said);
}

/**
 * What contradicts between the machines of one query, as JSON, by machine. What is wrong with one alone is reported elsewhere.
 * Of `fleet` nothing is reported; it may be named as what is cloned.
 */
function contradictions(
  asked: readonly AskedMachine[],
  fleet: readonly FleetMachine[],
  owner: string,
  cluster: ClusterSpec,
): Map<string, string> {
  const ids = new Set(asked.map(({ id }) => id));
  // how the others are called is not known: what is adopted has no name of its own
  const others = fleet.filter(({ id }) => !ids.has(id)).map(machine => ({ ...machine, adopt: true }));
  const read = asked.filter(({ json }) => json !== undefined);
  const machines = [...read.map(({ json }) => json), ...others];
  const state = parseDesiredState({ version: SPEC_VERSION, owner, cluster, machines });
  const byMachine = new Map<string, Problem[]>();
  for (const problem of state.ok ? [] : state.problems) {
    const [list, index] = problem.at;
    const id = list === 'machines' ? read[Number(index)]?.id : undefined;
    if (problem.kind !== 'conflict' || id === undefined) continue;
    byMachine.set(id, [...(byMachine.get(id) ?? []), problem]);
  }
  return new Map([...byMachine].map(([id, problems]) => [id, formatProblems(problems)]));
}

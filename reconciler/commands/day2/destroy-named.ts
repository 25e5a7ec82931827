import type { Losses, MachineSpec } from '../../../spec';
import { destroyMachine, DESTROY_TEXTS } from '../../apply/destroy/destroy';
import { findLeaving } from '../../apply/destroy/find-leaving';
import type { DestroyWish } from '../../apply/destroy/refuse-losses';
import { untouched } from '../../action';
import { InputError, RefusedError } from '../../errors';
import { generationOf } from '../../guest/generation';
import { sourceOf, statesByHand } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { otherSourceOfFormer } from '../../mark/former-id';
import type { Identity } from '../../mark/identity';
import { isTaggedAs } from '../../mark/owner-tag';
import { observedGuest, provenMark } from '../../observe/guest';
import { readAs } from '../../observe/existing';
import { ifSeen } from '../../observe/if-allowed';
import { elsewhereOf } from '../../run/reads/elsewhere-of';
import { lossesNow } from '../../run/reads/losses-now';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { destroyRefusals, whyItStays } from '../../plan/why-it-stays';
import { entriesOf, unreadElsewhere } from '../../plan/entries-lost';
import { readConfig, type GuestAddress } from '../../pve';
import { onlyRead } from '../../report/only-read';
import { exitCodeOfAll } from '../../report/exit-code';
import type { Run } from '../../run/run';
import type { SourcedState } from '../../run/wanted';
import { agreed } from '../asking/agreed';
import { eachRun } from '../each-state';
import { ownerText, told, type Chosen } from './destroy-question';
import { unknownMachine } from './named-machines';
import { needWritable } from './present-guest';

type ChosenGuest = Chosen & { guest?: ListedGuest | undefined };

const NOTHING: Losses = { volumes: [], snapshots: [] };

/** Destroys machines by name, after asking: those of the desired state, and those that left it and are still there. */
export async function destroyNamed(
  given: Surroundings,
  options: Options,
  names: readonly string[],
): Promise<number> {
  const { states, around } = await statesByHand(options, given);
  const machines = onceEach(names, states);
  const asked = { withKept: options.withKeptVolumes, own: sourceOf(options, given.environment)?.names ?? [] };
  const found = await eachRun<ChosenGuest>(states, around, async (run, state, there) =>
    Promise.all(
      chosenIn(state, run, { machines, there }).map(each =>
        options.yes ? each : withNamed(run, state, each, asked),
      ),
    ),
  );
  refuseDoubtful(machines, found, states);
  const chosen = eachOnce(found);
  await agreed(chosen.map(told).join(' '), { options, around });
  // somebody was asked meanwhile: all is read anew
  const errors = await eachRun<unknown>(states, around, async (run, state) => {
    const { owner, cluster } = state;
    const own = chosen.filter(each => each.owner === owner && each.cluster === cluster.name);
    const withKept = options.withKeptVolumes;
    const ends = own.map(each => {
      const { named, generation } = each;
      const identity = { ...identityOf(state, each.machine), ...writerOf(each, asked.own, !options.yes) };
      return destroyOne(run, identity, around, { named, generation, withKept, asksAll: true });
    });
    return (await Promise.all(ends)).flat();
  });
  around.signal.throwIfAborted();
  return exitCodeOfAll(errors);
}

/** Who may have written it last: what a desired state names by today's id, anybody; else who the question named, or those that ask. */
function writerOf(
  { isWanted, writtenBy, isOthers }: Chosen,
  own: readonly string[],
  isAsked: boolean,
): Partial<Identity> {
  // of what only an id of before finds, nobody was asked: the destroy compares the source
  if (isWanted && isOthers !== true) return {};
  if (!isAsked) return { onlyOf: own };
  return writtenBy === undefined ? {} : { writtenBy };
}

/** What goes with a machine, read for the question. Throws where kept volumes or a Kubernetes hold that up: nobody is asked then. */
async function withNamed(
  run: Run,
  state: SourcedState,
  chosen: ChosenGuest,
  { withKept, own }: { withKept: boolean | undefined; own: readonly string[] },
): Promise<ChosenGuest> {
  const { machine, isWanted } = chosen;
  const guest = (await listedGuest(run, chosen)) ?? (await leavingGuest(run, identityOf(state, machine)));
  // what the destroy finds all the same was not named, and is refused
  if (guest === undefined) return { ...chosen, named: NOTHING };
  const identity = identityOf(state, machine);
  const writtenBy = guest.mark?.source ?? null;
  const stays = whyItStays(guest, undefined, { identity: { ...identity, writtenBy }, withKept });
  if (stays?.why === 'kept-volumes' || stays?.why === 'other-kubernetes')
    throw new RefusedError(destroyRefusals(machine, guest, stays));
  const [losses, elsewhere] = await Promise.all([lossesNow(run.pve, guest), elsewhereOf(run.pve, guest)]);
  const entries = entriesOf(elsewhere);
  const named = { ...losses, ...(entries.length > 0 && { entries }) };
  const ofFormer = otherSourceOfFormer(guest.mark, identity.ids, own) !== undefined;
  const isOthers = isWanted ? ofFormer : writtenBy !== null && !own.includes(writtenBy);
  const marked = ofFormer && guest.mark ? { marked: guest.mark.machine } : {};
  const unread = unreadElsewhere(elsewhere);
  const generation = generationOf(guest.current);
  return { ...chosen, place: placeOf(guest), named, generation, unread, writtenBy, isOthers, ...marked };
}

/** The guest that its tag finds, where its mark is true. */
async function listedGuest({ pve }: Run, { guest }: ChosenGuest): Promise<ObservedGuest | undefined> {
  const config = guest && (await ifSeen(readConfig(pve, guest)));
  return guest && config && provenMark(config) ? observedGuest(guest, config) : undefined;
}

/** The guest that the destroy would find: it looks further than tags. */
async function leavingGuest(run: Run, identity: Identity): Promise<ObservedGuest | undefined> {
  await run.read();
  try {
    const leaving = await findLeaving(run, identity);
    return leaving.kind === 'found' ? leaving.guest : undefined;
  } catch (error) {
    // whose it is decides the destroy, and says so
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

async function destroyOne(
  run: Run,
  identity: Identity,
  { reporter }: Surroundings,
  wish: DestroyWish,
): Promise<unknown[]> {
  const machine = identity.ids[0];
  try {
    const outcome = await destroyMachine(run, identity, wish);
    if (outcome === 'not-ours') throw notOurs(machine, identity);
    reporter.say('info', `${machine}: ${DESTROY_TEXTS[outcome]}`);
    return [];
  } catch (error) {
    run.report({ kind: 'failed', machine, action: { kind: 'destroy' }, error });
    return [error];
  }
}

/** To Terraform a machine that is not ours is gone; whoever named it by hand meant that one. */
function notOurs(machine: string, { owner }: Identity): RefusedError {
  const detail = `owner ${owner} has no machine ${machine}, and the guest that has its name is another owner's.`;
  const remedy =
    'Name the program of that owner, or, where no Terraform state holds that guest, give the owner of this one the new name by `pve-reconciler owner move`.';
  return new RefusedError([{ machine, ...untouched('other-owner', detail, remedy) }]);
}

function chosenIn(
  state: SourcedState,
  { cluster }: Run,
  { machines, there }: { machines: readonly string[]; there: readonly SourcedState[] },
): ChosenGuest[] {
  const { owner, cluster: of } = state;
  return machines.flatMap(machine => {
    const spec = specOf(state, machine);
    const [guest] = cluster.guests.filter(isTaggedAs(identityOf(state, spec?.id ?? machine)));
    if (spec === undefined && guest === undefined) return [];
    if (spec !== undefined) needWritable({ spec });
    const read = spec === undefined && guest ? readAs(guest, there) : undefined;
    if (read !== undefined)
      throw new InputError(`"${machine}": ${onlyRead(read, { machine, owner: state.owner })}`);
    const place = guest === undefined ? 'no guest of it is found' : placeOf(guest);
    const whose = { owner, cluster: of.name, machine: spec?.id ?? machine };
    return [{ ...whose, asked: machine, place, guest, isWanted: spec !== undefined }];
  });
}

function placeOf({ vmid, node }: GuestAddress): string {
  return `VM ${vmid} on ${node}`;
}

/** The spec of a machine, by its id or by one that it had before: its guest may still carry that one. */
function specOf({ machines }: SourcedState, machine: string): MachineSpec | undefined {
  const had = ({ formerIds = [] }: MachineSpec): boolean => formerIds.includes(machine);
  return machines.find(({ id }) => id === machine) ?? machines.find(had);
}

/** Each machine by one name: a former id beside the id of the same machine says nothing more. */
function onceEach(names: readonly string[], states: readonly SourcedState[]): string[] {
  const specs = states.flatMap(({ machines }) => machines);
  const isId = (name: string): boolean => specs.some(({ id }) => id === name);
  const isNamedAnew = (name: string): boolean =>
    specs.some(({ id, formerIds = [] }) => names.includes(id) && formerIds.includes(name));
  return [...new Set(names)].filter(name => isId(name) || !isNamedAnew(name));
}

/** Each machine once, also where several ids that it had before were given. */
function eachOnce(chosen: readonly Chosen[]): Chosen[] {
  const seen = new Set<string>();
  return chosen.filter(each => {
    const key = `${each.machine} of ${ownerText(each)}`;
    return !seen.has(key) && seen.add(key);
  });
}

function identityOf({ owner, machines, source }: SourcedState, machine: string): Identity {
  const former = machines.find(({ id }) => id === machine)?.formerIds ?? [];
  return { owner, ids: [machine, ...former], sources: source?.names ?? [] };
}

function refuseDoubtful(
  machines: readonly string[],
  chosen: readonly Chosen[],
  states: readonly SourcedState[],
): void {
  const ids = states.flatMap(state => state.machines.map(({ id }) => id));
  const faults = machines.flatMap(machine => {
    const owners = chosen.filter(each => each.asked === machine).map(ownerText);
    if (owners.length === 0) return unknownMachine(machine, ids);
    return owners.length === 1
      ? []
      : `"${machine}" is of ${owners.join(' and of ')}: give one desired state only.`;
  });
  if (faults.length > 0) throw new InputError(`${faults.join('\n')}\nNothing was changed.`);
}

import { randomUUID } from 'node:crypto';
import type { DesiredState } from '../../spec';
import { messageOf } from '../errors';
import { propertiesOf } from '../guest/configuration';
import { isOwnerTag } from '../mark/owner-tag';
import type { ListedGuest, ObservedGuest } from '../observed';
import type { Run } from '../run/run';
import { chosen, leftAlone, readCandidate, type Choice, type LeftAlone } from './candidates';
import { callAll, readTags, takenIds, type Nameless } from './ids';
import { clusterOf, settled, type Program } from './program';
import { machineOf, withIntent } from './spec/machine-of';
import { less, type Json } from './spec/said';
import { unlikeState, notThatOne } from './state/compare-held';
import type { ForeignGuest } from './state/foreign-guests';
import { idOfWords } from './state/id-of-words';

/** A guest as it was listed, and as the program was made of it. */
export interface ReadGuest {
  listed: ListedGuest;
  guest: ObservedGuest;
}

/** Guests as machines of one program, and those that are none. */
export interface FoundMachines {
  program: Program;
  state: DesiredState;
  /** The guest of each machine of the program, in its order. */
  guests: readonly ReadGuest[];
  left: readonly LeftAlone[];
  missing: readonly number[];
  /** What the owner has, or may have, and is not in the program: a program that holds it must not be written over. */
  withheld: readonly string[];
  /** How the guests differ from what the state of another tool says, a line each. */
  drift: readonly string[];
}

/** The guests that another tool holds, by their numbers. */
export type ForeignByNumber = ReadonlyMap<number, ForeignGuest>;

/** What the guests are to be, and what is known of them. */
interface AdoptionTerms {
  owner: string;
  cluster: string;
  held?: ForeignByNumber;
  /** Of the guests that are meant, those that the owner adopted before are in the program, too; `all`: of the whole cluster. */
  before?: 'meant' | 'all' | undefined;
  /** Told of each guest that was read. */
  progress?: ((done: number, of: number) => void) | undefined;
}

/**
 * Reads the guests that are meant and says them in the words of the spec: one request each, and one for each node.
 * Writes nothing.
 */
export async function findMachines(
  run: Run,
  choice: Choice,
  { owner, cluster: name, held = new Map(), before, progress }: AdoptionTerms,
): Promise<FoundMachines> {
  const { meant, missing } = chosen(run.cluster, choice);
  const numbers = new Set(meant.map(({ vmid }) => vmid));
  const isMeant = ({ vmid }: ListedGuest): boolean => numbers.has(vmid);
  const tags = await readTags(run);
  const tagged = new Set([...tags].flatMap(([tag, vmids]) => (isOwnerTag(tag) ? vmids : [])));
  const others =
    before === 'all' ? run.cluster.guests.filter(each => tagged.has(each.vmid) && !isMeant(each)) : [];
  const read = await readAll(run, [...meant, ...others], { owner, held, before, progress });
  const judged = read
    .map(({ listed, guest }) => ({ listed, guest: asHeld(listed, guest, held) }))
    .filter(({ listed, guest }) => isMeant(listed) || isOf(owner, guest));
  const there = judged.flatMap(({ listed, guest }) => ('refusal' in guest ? [] : [{ listed, guest }]));
  const left = judged.flatMap(({ listed, guest }) => ('refusal' in guest && isMeant(listed) ? [guest] : []));
  const cluster = clusterOf(
    name,
    there.map(({ guest }) => guest),
  );
  const called = callAll(
    there.map(({ guest }) => nameless(guest, owner, held)),
    takenIds(tags, owner, left),
  );
  const said = there.map(read => ({ ...read, ...sayGuest(read.guest, called, { owner, cluster }, held) }));
  const machines = said.flatMap(({ machine, ...read }) => (machine ? [{ ...read, machine }] : []));
  const unsaid = said.flatMap(({ listed, why }) =>
    why === undefined ? [] : [leftAlone(listed, differs(why))],
  );
  return {
    ...settled({ owner, cluster: { ...cluster }, machines: machines.map(({ machine }) => machine) }),
    guests: machines.map(({ listed, guest }) => ({ listed, guest })),
    left: [...left, ...unsaid],
    missing,
    withheld: withheldOf(owner, read, machines, tagged),
    drift: machines.flatMap(({ guest, machine }) => drifts(machine.spec.id, guest, held)),
  };
}

function isOf(owner: string, guest: ObservedGuest | LeftAlone): boolean {
  return 'refusal' in guest ? guest.ofOwner === owner : guest.mark?.owner === owner;
}

/** What the owner has, or may have, that is no machine of the program. */
function withheldOf(
  owner: string,
  read: readonly { listed: ListedGuest; guest: ObservedGuest | LeftAlone }[],
  said: readonly { listed: ListedGuest }[],
  tagged: ReadonlySet<number>,
): string[] {
  const inProgram = new Set(said.map(({ listed }) => listed.vmid));
  return read
    .filter(({ guest, listed }) => isOf(owner, guest) || (isUnread(guest) && tagged.has(listed.vmid)))
    .flatMap(({ listed: { vmid } }) => (inProgram.has(vmid) ? [] : [`VM ${vmid}`]));
}

/** Nothing tells whose it is. */
function isUnread(guest: ObservedGuest | LeftAlone): boolean {
  return 'refusal' in guest && guest.isUnread;
}

async function readAll(
  run: Run,
  meant: readonly ListedGuest[],
  {
    owner,
    held = new Map(),
    before,
    progress,
  }: Pick<AdoptionTerms, 'owner' | 'held' | 'before' | 'progress'>,
) {
  let done = 0;
  return Promise.all(
    meant.map(async each => {
      const power = await powerOf(run, each);
      const mine = before && { owner, isHeld: held.has(each.vmid) };
      const listed = { ...each, power };
      const guest = await readCandidate(run.pve, listed, mine);
      progress?.((done += 1), meant.length);
      return { listed, guest };
    }),
  );
}

/** PVE: for about ten seconds the cluster's listing says unknown or what was before; the node knows (behaviour.md §16.4). */
async function powerOf(run: Run, listed: ListedGuest): Promise<ListedGuest['power']> {
  if (listed.type === 'lxc' || listed.template) return listed.power;
  return (await run.nodeLists.at(listed))?.power ?? listed.power;
}

/** The guest, unless another tool has another one under its number. */
function asHeld(
  listed: ListedGuest,
  guest: ObservedGuest | LeftAlone,
  held: ForeignByNumber,
): ObservedGuest | LeftAlone {
  const by = held.get(listed.vmid);
  const why = by === undefined || 'refusal' in guest ? undefined : notThatOne(by, guest);
  return why === undefined ? guest : leftAlone(listed, why);
}

function drifts(id: string, guest: ObservedGuest, held: ForeignByNumber): string[] {
  const by = held.get(guest.vmid);
  if (by === undefined) return [];
  return [...unlikeState(by, guest), ...by.notTaken].map(text => `${id}: ${text}.`);
}

/** What is known of how a guest is called: by its own mark, by another tool, by its name. */
function nameless({ vmid, current, mark }: ObservedGuest, owner: string, held: ForeignByNumber): Nameless {
  return {
    ...{ vmid, name: current['name'], wish: idOfWords(held.get(vmid)?.words ?? []) },
    marked: mark?.owner === owner ? mark.machine : undefined,
  };
}

type Where = { owner: string; cluster: DesiredState['cluster'] };

function sayGuest(
  guest: ObservedGuest,
  called: ReturnType<typeof callAll>,
  where: Where,
  held: ForeignByNumber,
) {
  const { vmid } = guest;
  const around = { ...where, uuid: randomUUID() };
  try {
    const machine = machineOf(guest, called.get(vmid) ?? { id: `vm-${vmid}` }, around);
    return { machine: withIntent(machine, intentOf(guest, held), guest, around) };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

/** A guest that runs gets its uuid at its next start, where it has none: a word that allows restarts would restart it for that. */
function intentOf({ vmid, power, current }: ObservedGuest, held: ForeignByNumber): Json {
  const intent = held.get(vmid)?.intent ?? {};
  const waits = power !== 'stopped' && propertiesOf('smbios1', current['smbios1']).uuid === undefined;
  return waits ? less(intent, ['restart']) : intent;
}

function differs(why: string) {
  return { why, remedy: 'Report this: the model should hold every guest. Nothing else is needed of you.' };
}

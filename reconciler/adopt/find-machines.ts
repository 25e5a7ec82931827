import { randomUUID } from 'node:crypto';
import type { DesiredState } from '../../spec';
import { messageOf } from '../errors';
import { propertiesOf } from '../guest/configuration';
import type { ListedGuest, ObservedGuest } from '../observed';
import type { Run } from '../run/run';
import { chosen, leftAlone, readCandidate, type Choice, type LeftAlone } from './candidates';
import { callAll, takenIds, type IsTaken } from './ids';
import { markedBefore, type MarkedBefore } from './marked-before';
import { clusterOf, settled, type Program } from './program';
import { machineOf, withIntent, type AdoptedMachine } from './spec/machine-of';
import { less, type Json } from './spec/said';
import { driftOf, notThatOne } from './state/compare-held';
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
  /** How the guests differ from what the state of another tool says, and what of that is not taken, a line each. */
  drift: readonly string[];
  /** Guests of that state that this owner's machines are already: an earlier run was cut short. */
  before: readonly MarkedBefore[];
  /** The program with these, too. Undefined: there are none, or they are not what an earlier run made of this state. */
  whole?: Program;
}

/** The guests that another tool holds, by their numbers. */
export type ForeignByNumber = ReadonlyMap<number, ForeignGuest>;

/**
 * Reads the guests that are meant and says them in the words of the spec: one request each, and one for each
 * node. Writes nothing.
 */
export async function findMachines(
  run: Run,
  choice: Choice,
  { owner, cluster: name, held = new Map() }: { owner: string; cluster: string; held?: ForeignByNumber },
): Promise<FoundMachines> {
  const { meant, missing } = chosen(run.cluster, choice);
  const read = await Promise.all(
    meant.map(async each => {
      const listed = { ...each, power: await powerOf(run, each) };
      return { listed, guest: await readCandidate(run.pve, listed) };
    }),
  );
  const judged = read.map(({ listed, guest }) => ({ listed, guest: asHeld(listed, guest, held) }));
  const there = judged.flatMap(({ listed, guest }) => ('refusal' in guest ? [] : [{ listed, guest }]));
  const left = judged.flatMap(({ guest }) => ('refusal' in guest ? [guest] : []));
  const before = judged.flatMap(({ listed, guest }) =>
    'refusal' in guest && held.has(listed.vmid) ? (markedBefore(listed, guest, owner) ?? []) : [],
  );
  const isTaken = await takenIds(run, owner, left);
  const programOf = (guests: readonly ReadGuest[], isNot: IsTaken): Said =>
    say(guests, { owner, cluster: name, held, isTaken: isNot });
  const { machines, unsaid, ...found } = programOf(there, isTaken);
  return {
    ...found,
    guests: machines.map(({ listed, guest }) => ({ listed, guest })),
    left: [...left, ...unsaid],
    missing,
    drift: machines.flatMap(({ guest, machine }) => drifts(machine.spec.id, guest, held)),
    before,
    ...(before.length > 0 && wholeOf(programOf, [...there, ...before], before)),
  };
}

interface Said {
  program: Program;
  state: DesiredState;
  machines: readonly (ReadGuest & { machine: AdoptedMachine })[];
  unsaid: readonly LeftAlone[];
}

interface Saying {
  owner: string;
  cluster: string;
  held: ForeignByNumber;
  isTaken: IsTaken;
}

/** Guests as the machines of one program. */
function say(guests: readonly ReadGuest[], { owner, cluster: name, held, isTaken }: Saying): Said {
  const cluster = clusterOf(
    name,
    guests.map(({ guest }) => guest),
  );
  const nameless = guests.map(({ guest: { vmid, current } }) => ({
    ...{ vmid, name: current['name'] },
    wish: idOfWords(held.get(vmid)?.words ?? []),
  }));
  const called = callAll(nameless, isTaken);
  const said = guests.map(read => ({ ...read, ...sayGuest(read.guest, called, { owner, cluster }, held) }));
  const machines = said.flatMap(({ machine, ...read }) => (machine ? [{ ...read, machine }] : []));
  const unsaid = said.flatMap(({ listed, why }) =>
    why === undefined ? [] : [leftAlone(listed, differs(why))],
  );
  const program = { owner, cluster: { ...cluster }, machines: machines.map(({ machine }) => machine) };
  return { ...settled(program), machines, unsaid };
}

/** What an earlier run wrote, if each guest that it marked gets the same id again. */
function wholeOf(
  programOf: (guests: readonly ReadGuest[], isTaken: IsTaken) => Said,
  guests: readonly ReadGuest[],
  before: readonly MarkedBefore[],
): { whole?: Program } {
  const ids = new Map(before.map(({ listed, id }) => [listed.vmid, id]));
  const ordered = [...guests].sort((one, other) => one.listed.vmid - other.listed.vmid);
  const { program, machines } = programOf(ordered, () => false);
  const isSame = machines.every(
    ({ listed, machine }) => (ids.get(listed.vmid) ?? machine.spec.id) === machine.spec.id,
  );
  return isSame ? { whole: program } : {};
}

/** PVE: for about ten seconds the cluster's listing says unknown or what was before; the node knows (behaviour.md §16.4). */
async function powerOf(run: Run, listed: ListedGuest): Promise<ListedGuest['power']> {
  if (listed.type === 'lxc' || listed.template) return listed.power;
  return (await run.names.at(listed))?.power ?? listed.power;
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
  return by === undefined ? [] : [...driftOf(by, guest), ...by.notTaken].map(text => `${id}: ${text}.`);
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

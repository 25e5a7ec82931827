import { randomUUID } from 'node:crypto';
import type { DesiredState } from '../../spec';
import { messageOf } from '../errors';
import type { ListedGuest, ObservedGuest } from '../observed';
import type { Run } from '../run/run';
import { chosen, leftAlone, readCandidate, type Choice, type LeftAlone } from './candidates';
import { clusterOf, settled, type Program } from './program';
import { machineOf } from './spec/machine-of';
import type { Called } from './spec/guest-draft';
import { unlike } from './spec/networks';

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
}

/**
 * Reads the guests that are meant and says them in the words of the spec: one request each, and one for each of their
 * nodes. Writes nothing.
 */
export async function findMachines(
  run: Run,
  choice: Choice,
  { owner, cluster: name }: { owner: string; cluster: string },
): Promise<FoundMachines> {
  const { meant, missing } = chosen(run.cluster, choice);
  const read = await Promise.all(
    meant.map(async each => {
      const listed = { ...each, power: await powerOf(run, each) };
      return { listed, guest: await readCandidate(run.pve, listed) };
    }),
  );
  const there = read.flatMap(({ listed, guest }) => ('refusal' in guest ? [] : [{ listed, guest }]));
  const left = read.flatMap(({ guest }) => ('refusal' in guest ? [guest] : []));
  const cluster = clusterOf(
    name,
    there.map(({ guest }) => guest),
  );
  const called = callAll(there.map(({ guest: { vmid, current } }) => ({ vmid, name: current['name'] })));
  const said = there.map(read => ({ ...read, ...sayGuest(read.guest, called, { owner, cluster }) }));
  const machines = said.flatMap(({ machine, ...read }) => (machine ? [{ ...read, machine }] : []));
  const unsaid = said.flatMap(({ listed, why }) =>
    why === undefined ? [] : [leftAlone(listed, differs(why))],
  );
  return {
    ...settled({ owner, cluster: { ...cluster }, machines: machines.map(({ machine }) => machine) }),
    guests: machines.map(({ listed, guest }) => ({ listed, guest })),
    left: [...left, ...unsaid],
    missing,
  };
}

/** PVE: for about ten seconds the cluster's listing says unknown or what was before; the node knows (behaviour.md §16.4). */
async function powerOf(run: Run, listed: ListedGuest): Promise<ListedGuest['power']> {
  if (listed.type === 'lxc' || listed.template) return listed.power;
  return (await run.names.at(listed))?.power ?? listed.power;
}

type Where = { owner: string; cluster: DesiredState['cluster'] };

function sayGuest(guest: ObservedGuest, called: ReturnType<typeof callAll>, where: Where) {
  const { vmid } = guest;
  try {
    return {
      machine: machineOf(guest, called.get(vmid) ?? { id: `vm-${vmid}` }, { ...where, uuid: randomUUID() }),
    };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function differs(why: string) {
  return { why, remedy: 'Report this: the model should hold every guest. Nothing else is needed of you.' };
}

/** The guests' ids in the program, by vmid: their names, made valid and each of its own. */
function callAll(guests: readonly { vmid: number; name: string | undefined }[]): Map<number, Called> {
  const taken = new Set<string>();
  return new Map(
    guests.map(({ vmid, name }) => {
      const wish = idFrom(name) ?? `vm-${vmid}`;
      const isFree = !taken.has(wish.toLowerCase());
      const id = isFree ? unlike(wish, taken) : unlike(`${wish.slice(0, 50)}-${vmid}`, taken);
      // a name that two have cannot be wanted of both: it stays as it is
      const isSaid = isFree && name !== undefined && name !== id;
      return [vmid, { id, ...(isSaid ? { name } : {}) }] as const;
    }),
  );
}

function idFrom(name: string | undefined): string | undefined {
  const label = (name ?? '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return label === '' ? undefined : label.replace(/-$/, '');
}

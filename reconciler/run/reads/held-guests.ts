import { EVERY_OWNER, type HeldGuest, type HeldGuests } from '../../../spec';
import type { Run } from '../run';
import { observedGuest, provenMark } from '../../observe/guest';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { diskOutputs } from '../../outputs/devices';
import { isOfImage } from '../../mark/image-words';
import { ownerTag } from '../../mark/owner-tag';
import { linkedClones } from './linked-clones';
import { preflightDestroy } from '../../plan/preflight';
import { destroyRefusals, usedRefusal, whyItStays, type Stays } from '../../plan/why-it-stays';
import { tagged } from '../../observe/tagged-guests';
import { ifListed } from '../../observe/if-allowed';
import { lossesOf } from '../../guest/losses';
import { linesOfRead, usedByOthers, type GuestLines } from '../../observe/volume-users';
import { lossesAtHand, lossesNow } from './losses-now';
import { readConfig } from '../../pve';

/**
 * How many guests are read besides those that were asked for: a cluster may hold many of other stacks. Those whose name
 * shows them to be the owner's count too, and all of them are read.
 */
const MOST = 100;

interface HeldQuery {
  /** `*`: every owner. */
  owner: string;
  ids: Iterable<string>;
  /** Guests that were read already. */
  seen: readonly ObservedGuest[];
  /** Whether the others are looked at. */
  reads: boolean;
}

/**
 * The guests of an owner as they stand, also those that no machine of the program asks for any more: a review tells of
 * them what a destroy would take, and whether it would be refused. Reads only.
 */
export async function heldGuests(run: Run, { owner, ids, seen, reads }: HeldQuery): Promise<HeldGuests> {
  const asked = new Set([...ids].map(id => ownerTag(owner, id)));
  const known = new Set(seen.map(({ vmid }) => vmid));
  const others = tagged(run.cluster.guests, asked).filter(({ vmid }) => !known.has(vmid));
  const chosen = reads ? chosenOf(others, owner) : [];
  const unread = others.length - chosen.length;
  const read = await Promise.all(chosen.map(guest => readHeld(run, guest)));
  const there = [...seen, ...read].flatMap(guest => guest ?? []);
  const lines = there.map(linesOfRead);
  const held = await Promise.all(
    there.map(guest => heldGuest(run, guest, owner, { lines, isSeen: known.has(guest.vmid) })),
  );
  const guests = held.flat();
  return { guests: guests.sort((one, other) => one.vmid - other.vmid), unread };
}

/** Those to read: first all that have the tag of a machine of this owner that is called as they are. */
function chosenOf(others: readonly ListedGuest[], owner: string): ListedGuest[] {
  const isOwn = ({ name, tags }: ListedGuest): boolean =>
    name !== undefined && tags.includes(ownerTag(owner, name));
  const own = others.filter(isOwn);
  const rest = others.filter(guest => !own.includes(guest));
  return [...own, ...rest.slice(0, Math.max(0, MOST - own.length))];
}

/** The guest, where its mark is true: a copy carries the mark of another. */
async function readHeld(run: Run, listed: ListedGuest): Promise<ObservedGuest | undefined> {
  const config = await ifListed(readConfig(run.pve, listed));
  return config && provenMark(config) && observedGuest(listed, config);
}

async function heldGuest(
  run: Run,
  guest: ObservedGuest,
  owner: string,
  { lines, isSeen }: { lines: readonly GuestLines[]; isSeen: boolean },
): Promise<HeldGuest[]> {
  const { vmid, node, mark } = guest;
  if (mark === undefined || (owner !== EVERY_OWNER && mark.owner !== owner)) return [];
  const why = whyItStays(guest, () => preflightDestroy(mark.machine, guest, run.cluster));
  const stays = sentenceOf(guest, why) ?? usedText(guest, lines);
  const mayGo = stays === undefined && guest.template && !isSeen;
  const clones = mayGo ? await linkedClones(run.pve, guest, run.cluster.guests) : [];
  // what is still asked for is seldom destroyed
  const losses = await ifListed((isSeen ? lossesAtHand : lossesNow)(run.pve, guest));
  const disks = Object.entries(diskOutputs(guest)).map(([name, { size }]) => [name, size] as const);
  return [
    {
      machine: mark.machine,
      ...(mark.entry !== undefined && { entry: mark.entry }),
      node,
      vmid,
      disks: Object.fromEntries(disks),
      ...(losses !== undefined && { losses }),
      ...(stays !== undefined && { stays }),
      ...(clones.length > 0 && { clones, ...(isOfImage(mark) && { isOfImage: true as const }) }),
    },
  ];
}

/** That another guest uses what goes with it, as far as those tell that were read anyway. */
function usedText(guest: ObservedGuest, all: readonly GuestLines[]): string | undefined {
  const volumes = lossesOf(guest).volumes.map(({ volume }) => volume);
  const used = usedByOthers(all, volumes, guest.vmid);
  if (used.length === 0) return undefined;
  const { detail, remedy } = usedRefusal(guest.mark?.machine ?? '', guest, used);
  return `${detail} ${remedy}`;
}

/** Why a destroy of a guest would be refused. */
function sentenceOf(guest: ObservedGuest, stays: Stays | undefined): string | undefined {
  if (stays === undefined) return undefined;
  if (stays.why === 'denied') return stays.refusals[0]?.detail;
  if (stays.why === 'kept-volumes')
    return destroyRefusals(guest.mark?.machine ?? '', guest, stays).map(
      ({ detail, remedy }) => `${detail} ${remedy}`,
    )[0];
  return stays.why === 'protected' ? 'it is protected.' : 'it is a template now.';
}

import { listedGuests } from './cluster';
import { ifSeen } from './if-allowed';
import type { ListedGuest, ObservedGuest, VolumeUse } from '../observed';
import type { GuestAddress, GuestConfig, Pve } from '../pve';
import { listResources, listSnapshots, readConfig, readSnapshot } from '../pve';

/** What a guest says in its configuration, in what waits, and in its snapshots. Undefined lines: it cannot be read. */
export interface GuestLines {
  vmid: number;
  node: string;
  lines: string[] | undefined;
  /** What those lines begin with: a volume, where they are of a drive. Asked of each guest for each other one. */
  begins: ReadonlySet<string> | undefined;
}

/** What there is to be read besides what is listed, and what not. */
interface GuestsToRead {
  /** The listing is late by seconds: these are read whether it has them or not. */
  also?: readonly { vmid: number; node: string }[];
  /** Nothing is asked of these nodes: their guests count as such that cannot be read. */
  leftOut?: ReadonlySet<string> | undefined;
}

/**
 * Which guests name these volumes in their configuration, in what waits, or in a snapshot: Proxmox deletes an ISO that
 * is in use without a word (behaviour.md §14.12). Reads every virtual machine that is listed. By volume, in words.
 */
export async function usersOf(
  pve: Pve,
  volumes: readonly string[],
  around: Pick<GuestsToRead, 'leftOut'> = {},
): Promise<Map<string, string[]>> {
  const guests = await linesOfAll(pve, around);
  return new Map(
    volumes.map(volume => [
      volume,
      guests.filter(guest => namesVolume(guest, volume) !== false).map(guestText),
    ]),
  );
}

/** Whether a guest names a volume. Undefined: it could not be read, and may. */
export function namesVolume({ begins }: GuestLines, volume: string): boolean | undefined {
  return begins?.has(volume);
}

function guestLines({ vmid, node }: GuestAddress, lines: string[] | undefined): GuestLines {
  const begins = lines?.map(text => (text.split(',', 1)[0] ?? '').replace(/^file=/, ''));
  return { vmid, node, lines, begins: begins && new Set(begins) };
}

export function guestText({ vmid, node }: Pick<GuestLines, 'vmid' | 'node'>): string {
  return `guest ${vmid} on ${node}`;
}

/** The lines of all listed guests. */
export async function linesOfAll(pve: Pve, { also = [], leftOut }: GuestsToRead = {}): Promise<GuestLines[]> {
  const listed = listedGuests(await listResources(pve)).filter(({ type }) => type === 'qemu');
  const missing = also.filter(({ vmid }) => !listed.some(guest => guest.vmid === vmid));
  const guests = [...listed, ...missing];
  return Promise.all(
    guests.map(async guest =>
      guestLines(guest, leftOut?.has(guest.node) ? undefined : await textsOf(pve, guest)),
    ),
  );
}

/** All lines of a guest. Undefined where it cannot be read: then it may name any volume. */
async function textsOf(pve: Pve, guest: GuestAddress): Promise<string[] | undefined> {
  const reading = async (): Promise<string[]> => {
    const config = await readConfig(pve, guest);
    return [...lines(config), ...(await snapshotLines(pve, guest))];
  };
  return ifSeen(reading());
}

function lines({ current, pending }: Pick<GuestConfig, 'current' | 'pending'>): string[] {
  return [...Object.values(current), ...Object.values(pending).filter(text => text !== null)];
}

/**
 * PVE: a guest that went back to a snapshot which was deleted then names none in its configuration, and may have others.
 * So each guest is asked for its list: one request more.
 */
async function snapshotLines(pve: Pve, guest: GuestAddress): Promise<string[]> {
  const list = await listSnapshots(pve, guest);
  const kept = await Promise.all(list.map(({ name }) => readSnapshot(pve, guest, name)));
  return kept.flatMap(config => Object.values(config));
}

const doubtful = { isDoubtful: true } as const;

/** All that is listed, and what each virtual machine of it says. */
export interface AllGuests {
  listed: ListedGuest[];
  guests: GuestLines[];
}

/** Reads every guest that is listed, with its snapshots: for what is rare. */
export async function readAllGuests(pve: Pve): Promise<AllGuests> {
  const [listed, guests] = await Promise.all([listResources(pve).then(listedGuests), linesOfAll(pve)]);
  return { listed, guests };
}

/** Who else has to do with some volumes. */
export function useOfVolumes(
  { listed, guests }: AllGuests,
  volumes: readonly { volume: string; number: number | undefined }[],
  { own, seesAll }: { /** The guest that asks. */ own: number | undefined; seesAll: boolean },
): Record<string, VolumeUse> {
  const others = guests.filter(({ vmid }) => vmid !== own);
  const uses = volumes.map(({ volume, number }) => {
    const owner = listed.find(({ vmid }) => vmid === number && vmid !== own);
    const users = others.filter(guest => namesVolume(guest, volume) === true).map(guestText);
    const unread = others.filter(({ lines }) => lines === undefined).map(guestText);
    return [volume, { users, unread, owner: owner && guestText(owner), ...(!seesAll && doubtful) }] as const;
  });
  return Object.fromEntries(uses);
}

/** Guests that are read at most to see whether they use the disks of one that goes. */
const MOST = 200;

/**
 * The lines of the guests that are listed: of so many at most, those with a tag first. Their snapshots are not read.
 * Nothing is asked of the nodes that are left out: their guests count as such that cannot be read.
 */
export async function linesOfMost(
  pve: Pve,
  listed: readonly ListedGuest[],
  leftOut?: ReadonlySet<string>,
): Promise<GuestLines[]> {
  const guests = listed
    .filter(({ type }) => type === 'qemu')
    .sort((one, other) => other.tags.length - one.tags.length)
    .slice(0, MOST);
  return Promise.all(
    guests.map(async guest => {
      const config = leftOut?.has(guest.node) ? undefined : await ifSeen(readConfig(pve, guest));
      return guestLines(guest, config && lines(config));
    }),
  );
}

/** The lines of a guest whose configuration was read. */
export function linesOfRead(guest: Pick<ObservedGuest, 'vmid' | 'node' | 'current' | 'pending'>): GuestLines {
  return guestLines(guest, lines(guest));
}

/** A volume, and a guest that names it, in words. */
export interface VolumeUser {
  volume: string;
  guest: string;
}

/** Which of some volumes other guests name: each volume with one of them. Who could not be read is passed over. */
export function usedByOthers(
  guests: readonly GuestLines[],
  volumes: readonly string[],
  own: number,
): VolumeUser[] {
  const others = guests.filter(({ vmid }) => vmid !== own);
  return volumes.flatMap(volume => {
    const user = others.find(guest => namesVolume(guest, volume) === true);
    return user === undefined ? [] : [{ volume, guest: guestText(user) }];
  });
}

import { listedGuests } from './cluster';
import { ifSeen } from './if-allowed';
import type { GuestAddress, GuestConfig, Pve } from '../pve';
import { listResources, listSnapshots, readConfig, readSnapshot } from '../pve';

/** What a guest says in its configuration, in what waits, and in its snapshots. Undefined lines: it cannot be read. */
export interface GuestLines {
  vmid: number;
  node: string;
  lines: string[] | undefined;
}

/** What there is to be read besides what is listed, and what not. */
interface Around {
  /** The listing is late by seconds: these are read whether it has them or not. */
  also?: readonly { vmid: number; node: string }[];
  /** Nothing is asked of these nodes: their guests count as such that cannot be read. */
  leftOut?: ReadonlySet<string> | undefined;
}

/**
 * Which guests name these volumes in their configuration, in what waits, or in a snapshot: Proxmox deletes an ISO that
 * is in use without a word (behaviour.md §14.12). Reads each guest that may see the volume. By volume, in words.
 */
export async function usersOf(
  pve: Pve,
  volumes: readonly { volume: string; node: string }[],
  around: Pick<Around, 'leftOut'> = {},
): Promise<Map<string, string[]>> {
  const guests = await linesOfAll(pve, around);
  return new Map(volumes.map(({ volume }) => [volume, guests.filter(names(volume)).map(guestText)]));
}

/** Whether a guest names a volume, as far as anybody can tell. */
export function names(volume: string): (guest: GuestLines) => boolean {
  return ({ lines }) => lines?.some(text => text.split(',', 1)[0] === volume) ?? true;
}

export function guestText({ vmid, node }: Pick<GuestLines, 'vmid' | 'node'>): string {
  return `guest ${vmid} on ${node}`;
}

/** The lines of all listed guests. */
export async function linesOfAll(pve: Pve, { also = [], leftOut }: Around = {}): Promise<GuestLines[]> {
  const listed = listedGuests(await listResources(pve)).filter(({ type }) => type === 'qemu');
  const missing = also.filter(({ vmid }) => !listed.some(guest => guest.vmid === vmid));
  const guests = [...listed, ...missing];
  return Promise.all(
    guests.map(async ({ vmid, node }) => {
      const lines = leftOut?.has(node) ? undefined : await textsOf(pve, { vmid, node });
      return { vmid, node, lines };
    }),
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

function lines({ current, pending }: GuestConfig): string[] {
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

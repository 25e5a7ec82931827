import type { ListedGuest, ObservedGuest } from '../observed';
import type { Pve } from '../pve';
import { listedGuests } from './cluster';
import { ifSeen } from './if-allowed';
import { guestText, linesOfAll, type GuestLines } from './volume-users';
import { listResources, readConfig } from '../pve';

/** Who else has to do with a volume, in words. */
export interface VolumeUse {
  /** Guests whose configuration, or a snapshot of it, names it. */
  users: string[];
  /** Guests that could not be read, and may name it. */
  unread: string[];
  /** The guest whose number the volume carries. */
  owner?: string | undefined;
  /** Not all guests are seen: one that is not listed may use it. */
  isDoubtful?: true;
}

const doubtful = { isDoubtful: true } as const;

/** Who else has to do with some volumes. Reads every guest that is listed: for what is rare. */
export async function useOfVolumes(
  pve: Pve,
  volumes: readonly { volume: string; number: number | undefined }[],
  { own, seesAll }: { /** The guest that asks. */ own: number | undefined; seesAll: boolean },
): Promise<Record<string, VolumeUse>> {
  const [listed, guests] = await Promise.all([listResources(pve).then(listedGuests), linesOfAll(pve)]);
  const others = guests.filter(({ vmid }) => vmid !== own);
  const uses = volumes.map(({ volume, number }) => {
    const owner = listed.find(({ vmid }) => vmid === number && vmid !== own);
    const users = others.filter(guest => namesVolume(guest, volume)).map(guestText);
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
    guests.map(async ({ vmid, node }) => {
      if (leftOut?.has(node)) return { vmid, node, lines: undefined };
      const config = await ifSeen(readConfig(pve, { vmid, node }));
      return config ? linesOfRead({ vmid, node, ...config }) : { vmid, node, lines: undefined };
    }),
  );
}

/** The lines of a guest whose configuration was read. */
export function linesOfRead({
  vmid,
  node,
  current,
  pending,
}: Pick<ObservedGuest, 'vmid' | 'node' | 'current' | 'pending'>): GuestLines {
  const lines = [...Object.values(current), ...Object.values(pending)].filter(line => line !== null);
  return { vmid, node, lines };
}

/** Which of some volumes other guests name: each volume with one of them. Who could not be read is passed over. */
export function usedByOthers(
  guests: readonly GuestLines[],
  volumes: readonly string[],
  own: number,
): { volume: string; guest: string }[] {
  const others = guests.filter(({ vmid }) => vmid !== own);
  return volumes.flatMap(volume => {
    const user = others.find(guest => namesVolume(guest, volume));
    return user === undefined ? [] : [{ volume, guest: guestText(user) }];
  });
}

function namesVolume({ lines }: GuestLines, volume: string): boolean {
  return lines?.some(text => text.split(',', 1)[0]?.replace(/^file=/, '') === volume) === true;
}

import { listedGuests } from './cluster';
import type { ListedGuest } from '../observed';
import type { GuestConfig, Pve } from '../pve';
import { PveError, listResources, listSnapshots, readConfig, readSnapshot } from '../pve';

/**
 * Which guests name these volumes in their configuration, in what waits, or in a snapshot: Proxmox deletes an ISO that
 * is in use without a word (behaviour.md §14.12). Reads each guest that may see the volume. By volume, in words.
 */
export async function usersOf(
  pve: Pve,
  volumes: readonly { volume: string; node: string }[],
): Promise<Map<string, string[]>> {
  const users = new Map(volumes.map(({ volume }): [string, string[]] => [volume, []]));
  const guests = listedGuests(await listResources(pve)).filter(({ type }) => type === 'qemu');
  await Promise.all(
    guests.map(async guest => {
      const texts = await textsOf(pve, guest);
      for (const [volume, found] of users) {
        const names = texts?.some(text => text.split(',', 1)[0] === volume) ?? true;
        if (names) found.push(`guest ${guest.vmid} on ${guest.node}`);
      }
    }),
  );
  return users;
}

/** All lines of a guest. Undefined where it cannot be read: then it may name any volume. */
async function textsOf(pve: Pve, guest: ListedGuest): Promise<string[] | undefined> {
  try {
    const config = await readConfig(pve, guest);
    return [...lines(config), ...(await snapshotLines(pve, guest, config))];
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return undefined;
    throw error;
  }
}

function lines({ current, pending }: GuestConfig): string[] {
  return [...Object.values(current), ...Object.values(pending).filter(text => text !== null)];
}

/** PVE: a guest that has a snapshot names the last one in its configuration. */
async function snapshotLines(pve: Pve, guest: ListedGuest, { current }: GuestConfig): Promise<string[]> {
  if (current['parent'] === undefined) return [];
  const list = await listSnapshots(pve, guest);
  const kept = await Promise.all(list.map(({ name }) => readSnapshot(pve, guest, name)));
  return kept.flatMap(config => Object.values(config));
}

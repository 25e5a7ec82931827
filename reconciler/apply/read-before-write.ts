import type { SnapshotPlace } from '../action';
import { readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
import { lostByForce } from '../guest/losses';
import { changed, sameGuest } from '../observe/same-guest';
import type { ObservedGuest } from '../observed';
import { listSnapshots, readStatus, type Pve } from '../pve';
import { userNow } from '../run/reads/others-using';
import type { Run } from '../run/run';

// What decides a write is read directly before it (docs/adr/0011).

/**
 * The guest, its configuration as it is now. Proxmox takes no digest with most writes: then this is the request before
 * the write.
 */
export function now(pve: Pve, guest: ObservedGuest | undefined): Promise<ObservedGuest> {
  return sameGuest(pve, there(guest));
}

/** The same, where the snapshot still is the one that was seen: somebody may have taken another of its name since. */
export async function nowWith(
  { name, taken }: SnapshotPlace,
  pve: Pve,
  guest: ObservedGuest | undefined,
): Promise<ObservedGuest> {
  const list = await listSnapshots(pve, there(guest));
  if (!list.some(held => held.name === name && held.snaptime === taken))
    throw changed(there(guest), `snapshot ${name} of it is another one now`);
  return now(pve, guest);
}

/** With the digest of a reading Proxmox refuses the write where anything has changed since. */
export async function withDigest(pve: Pve, guest: ObservedGuest | undefined): Promise<ObservedGuest> {
  return there(guest).digest === '' ? now(pve, guest) : there(guest);
}

export function there(guest: ObservedGuest | undefined): ObservedGuest {
  if (!guest) throw new Error('a plan for a guest that is not there: only create and clone may come first');
  return guest;
}

/**
 * The guest directly before it is stopped. One that is stopped to be a template must have no snapshot: Proxmox makes none
 * of it then (behaviour.md §16.7), and it would stay off for nothing. The configuration names only the last one.
 */
export async function nowToStop(pve: Pve, guest: ObservedGuest): Promise<ObservedGuest> {
  const isToBe = guest.mark?.becomesTemplate === true && !guest.template;
  const list = isToBe ? await listSnapshots(pve, guest) : [];
  const read = await sameGuest(pve, guest);
  const last = isToBe ? (list[0]?.name ?? read.current['parent']) : undefined;
  if (last !== undefined)
    throw changed(read, `guest ${read.vmid} is to be a template, and has a snapshot now: ${last}`);
  return read;
}

/** What tells who else uses the volumes of a guest. */
export interface OneUserCheck {
  run: Run;
  /** Whether the guest is there because this very run made it. */
  madeHere?: boolean;
}

/**
 * Throws where another guest names a volume that the next write frees: asked directly before it, as PVE compares nothing
 * and anybody may attach a volume at any time. Then the guest is read and planned anew, and that is refused in words.
 * Asked are as many guests as for a destroy (docs/adr/0020).
 */
export async function needOneUser(
  { run, madeHere = false }: OneUserCheck,
  guest: ObservedGuest,
  slots: readonly string[],
): Promise<void> {
  // nobody has had the time to attach a disk of a guest that this very run is making
  if (slots.length === 0 || (madeHere && guest.mark?.isUnfinished === true)) return;
  const volumes = slots.map(slot => readDrive(guest.current[slot]).file);
  const used = await userNow(run, volumes, guest.vmid);
  if (used !== undefined) throw changed(guest, `${used.guest} uses ${used.volume} now, too`);
}

/**
 * Throws where a guest that was listed as running is off by now, and the write would bring the end of a disk that somebody
 * left waiting (behaviour.md §4): then it is planned anew, and that is named. Asked only where one waits.
 */
export async function needStillOn(pve: Pve, guest: ObservedGuest, written: readonly string[]): Promise<void> {
  const lost = lostByForce(guest).filter(({ slot }) => !written.includes(slot));
  if (guest.power !== 'running' || lost.length === 0) return;
  if ((await readStatus(pve, guest)).status === 'running') return;
  const volumes = lost.map(({ volume }) => volume).join(', ');
  throw changed(guest, `guest ${guest.vmid} is off now, and a write would delete ${volumes} with it`);
}

/** The keys of a write whose deletion frees the volume: one that is detached only becomes such a key. */
export function freedBy(gone: readonly string[]): string[] {
  return gone.filter(isUnusedKey);
}

import { isDisk, readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import type { ListedGuest, ObservedGuest } from '../observed';
import type { Pve } from '../pve';
import { PveError, listImages, readCloneLogs } from '../pve';

/**
 * The ids of the guests that are linked clones of a template, as far as the caller may know: the names of the volumes
 * tell on most storages; on LVM-thin only the log of the clone's task does, while Proxmox keeps it.
 */
export async function linkedClones(
  pve: Pve,
  template: ObservedGuest,
  guests: readonly ListedGuest[],
): Promise<number[]> {
  const told = await Promise.all([
    ifReadable(byVolumes(pve, template)),
    ifReadable(byTasks(pve, template, guests)),
  ]);
  return [...new Set(told.flat())].sort((one, other) => one - other);
}

async function byVolumes(pve: Pve, { node, vmid, current }: ObservedGuest): Promise<number[]> {
  const storages = Object.entries(current)
    .filter(([key, text]) => isDriveKey(key) && isDisk(text))
    .flatMap(([, text]) => readDrive(text).storage ?? []);
  const lists = await Promise.all([...new Set(storages)].map(storage => listImages(pve, node, storage)));
  const base = new RegExp(`[:/]base-${vmid}-`);
  return lists
    .flat()
    .filter(volume => base.test(volume.volid) && volume.vmid !== vmid)
    .flatMap(volume => volume.vmid ?? []);
}

// recording 40: "creating a clone of VM 140 with ID 141", then a line for each drive
async function byTasks(pve: Pve, template: ObservedGuest, guests: readonly ListedGuest[]): Promise<number[]> {
  const logs = await readCloneLogs(pve, template);
  const linked = logs.filter(lines => lines.some(line => line.startsWith('create linked clone of drive')));
  const ids = linked.map(([first]) => Number(/ with ID (\d+)$/.exec(first ?? '')?.[1]));
  return ids.filter(id => guests.some(({ vmid }) => vmid === id));
}

/** They only make a refusal clearer: what may not be read is left out. */
async function ifReadable(reading: Promise<number[]>): Promise<number[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return [];
    throw error;
  }
}

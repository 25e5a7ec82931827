import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import { ifSeen } from '../../observe/if-allowed';
import { proofOf } from '../../observe/proof';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { PveError, listImages, readCloneLogs, readConfig, type GuestAddress, type Pve } from '../../pve';

type Template = Pick<ObservedGuest, 'node' | 'vmid' | 'current'>;

/**
 * The ids of the guests that are linked clones of a template, as far as the caller may know: the names of the volumes
 * tell on most storages; on LVM-thin only the log of the clone's task does, while Proxmox keeps it.
 */
export async function linkedClones(
  pve: Pve,
  template: Template,
  guests: readonly ListedGuest[],
): Promise<number[]> {
  const told = await Promise.all([
    ifReadable(byVolumes(pve, template)),
    ifReadable(byTasks(pve, template, guests)),
  ]);
  return [...new Set(told.flat())].sort((one, other) => one - other);
}

/** The same of a guest that is only listed; none where it is no template, or cannot be read now. */
export async function clonesOfListed(
  pve: Pve,
  { vmid, node }: GuestAddress,
  guests: readonly ListedGuest[],
): Promise<number[]> {
  if (!guests.some(guest => guest.vmid === vmid && guest.template)) return [];
  const config = await ifSeen(readConfig(pve, { vmid, node }));
  return config === undefined ? [] : linkedClones(pve, { vmid, node, current: config.current }, guests);
}

async function byVolumes(pve: Pve, { node, vmid, current }: Template): Promise<number[]> {
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
async function byTasks(pve: Pve, template: Template, guests: readonly ListedGuest[]): Promise<number[]> {
  const logs = await readCloneLogs(pve, template);
  const linked = logs.filter(lines => lines.some(line => line.startsWith('create linked clone of drive')));
  const ids = linked.map(([first]) => Number(/ with ID (\d+)$/.exec(first ?? '')?.[1]));
  return ids.filter(id => guests.some(({ vmid }) => vmid === id));
}

/**
 * Those of some clones that no run of ours removes: waiting for their end is in vain. `known`: the ids that were told to
 * be machines of ours, which are not read again.
 */
export async function strangersAmong(
  pve: Pve,
  clones: readonly number[],
  guests: readonly ListedGuest[],
  known = new Set<number>(),
): Promise<number[]> {
  const listed = guests.filter(({ vmid }) => clones.includes(vmid) && !known.has(vmid));
  const proofs = await Promise.all(listed.map(guest => proofOf(pve, guest)));
  listed.forEach(({ vmid }, index) => typeof proofs[index] === 'object' && known.add(vmid));
  return listed.filter((_, index) => proofs[index] === undefined).map(({ vmid }) => vmid);
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

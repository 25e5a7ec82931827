import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import { readDescription } from '../../mark/description';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { listImages, readCloneLogs, readConfig, type GuestAddress, type Pve } from '../../pve';
import { ifSeen } from '../../observe/if-allowed';

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
  // they only make a refusal clearer: what may not be read is left out
  const [sure = [], told = []] = await Promise.all([
    ifSeen(byVolumes(pve, template)),
    ifSeen(byTasks(pve, template, guests)),
  ]);
  const listed = guests.filter(({ vmid }) => told.includes(vmid) && !sure.includes(vmid));
  const anew = await Promise.all(listed.map(guest => ifSeen(isOfAnother(pve, template, guest))));
  const left = listed.filter((_, index) => anew[index] !== true).map(({ vmid }) => vmid);
  return [...new Set([...sure, ...left])].sort((one, other) => one - other);
}

/** The log of a clone outlives it: a machine that was made anew under its number says in its mark from what. */
async function isOfAnother(pve: Pve, { current }: Template, guest: GuestAddress): Promise<boolean> {
  const { mark: own } = readDescription(current['description'] ?? '');
  const { mark } = readDescription((await readConfig(pve, guest)).current['description'] ?? '');
  if (own === undefined || mark === undefined || mark.owner !== own.owner) return false;
  return mark.image?.startsWith('machine ') === true && mark.image !== `machine ${own.machine}`;
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

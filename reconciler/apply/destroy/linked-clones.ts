import { milliseconds } from '../../../spec';
import { isDisk, readDrive } from '../../guest/drive';
import { readDescription } from '../../mark/description';
import { isDriveKey } from '../../guest/key-kinds';
import { ifSeen } from '../../observe/if-allowed';
import { proofOf } from '../../observe/proof';
import type { ListedGuest, ObservedGuest } from '../../observed';
import {
  listActiveTasks,
  listImages,
  readCloneLogs,
  readConfig,
  type GuestAddress,
  type Pve,
} from '../../pve';
import type { Run } from '../../run/run';
import type { Waiting } from '../../waits/waiting';

/** Linked clones of a template that nobody is about to destroy. */
export interface StayingClones {
  clones: number[];
}

/** How long linked clones may stand with none of them going: what destroys them may begin later than we. */
const STILL_MS = 30_000;
const GOING = ['qmdestroy', 'qmshutdown', 'qmstop'];

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

/** Linked clones of a template of ours may be leaving too, in processes of their own. */
export async function waitForClones(
  run: Run,
  guest: ObservedGuest,
  waiting: Waiting,
): Promise<boolean | StayingClones> {
  if (!guest.template) return false;
  let clones = await linkedClones(run.pve, guest, run.cluster.guests);
  if (clones.length === 0) return false;
  const known = new Set<number>();
  const stillMs = Math.min(STILL_MS, milliseconds(waiting.limit.allowed) / 2);
  let since = Date.now();
  let doStay = false;
  await waiting.until(
    () => `its linked clones to be gone (${clones.join(', ')})`,
    async () => {
      await run.refresh();
      const left = await linkedClones(run.pve, guest, run.cluster.guests);
      // one that somebody made meanwhile does not go: who looks again refuses
      const strangers = await strangersAmong(run.pve, left, run.cluster.guests, known);
      if (left.length === 0 || strangers.length > 0) return true;
      if (left.length < clones.length || (await isOneGoing(run, left))) since = Date.now();
      clones = left;
      doStay = Date.now() - since >= stillMs;
      return doStay || undefined;
    },
  );
  return doStay ? { clones } : true;
}

/** Whether a task that runs takes one of some guests away, or stops it first. */
async function isOneGoing({ pve, cluster }: Run, ids: readonly number[]): Promise<boolean> {
  const nodes = cluster.guests.filter(({ vmid }) => ids.includes(vmid)).map(({ node }) => node);
  const lists = await Promise.all([...new Set(nodes)].map(node => ifSeen(listActiveTasks(pve, node))));
  const tasks = lists.flatMap(list => list ?? []);
  return tasks.some(({ type, id }) => GOING.includes(type) && ids.includes(Number(id)));
}

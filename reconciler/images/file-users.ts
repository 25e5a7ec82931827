import { checksumOf } from '../guest/image-file';
import { tagOfDataIso } from '../machine/data-iso/data-iso-name';
import { imageWords } from '../mark/image-words';
import { readDescription } from '../mark/description';
import { splitTags } from '../mark/owner-tag';
import type { ObservedCluster } from '../observed';
import { ifSeen } from '../observe/if-allowed';
import { guestText, linesOfAll, namesVolume, type GuestLines } from '../observe/volume-users';
import { listActiveTasks, listGuests, type ActiveTask, type Pve } from '../pve';

/** A file that a reconciler made on a storage: a disk image, or an ISO of cloud-init data. */
export interface KeptFile {
  volume: string;
  /** A node that sees it. */
  node: string;
  isShared: boolean;
  bytes: number;
  /** Another copy of the same content stands beside it, which is the one that is used. */
  isSurplus?: boolean;
}

/** Guests of this cluster that do not count as users: they are about to be destroyed. None where a file is removed. */
export type Going = ReadonlySet<number>;

/** Who uses each of some files, in words; and the lists that failed, so that more may use them. */
interface FileUsers {
  users: string[][];
  unread: string[];
}

/** Who uses each of these files now: guests of anybody, and tasks that run. Reads all guests. */
export async function usersOfFiles(
  pve: Pve,
  { nodes }: ObservedCluster,
  files: readonly KeptFile[],
  going: Going,
): Promise<FileUsers> {
  const online = nodes.filter(node => node.online).map(({ name }) => name);
  const [tasks, present] = await Promise.all([
    all('tasks', online, node => listActiveTasks(pve, node)),
    // a guest that was just made is on its node's own list before it is on the cluster's
    all('guests', online, async node => (await listGuests(pve, node)).map(({ vmid }) => ({ vmid, node }))),
  ]);
  const leftOut = new Set(nodes.filter(node => !node.online).map(({ name }) => name));
  const guests = (await linesOfAll(pve, { also: present.rows, leftOut })).filter(
    ({ vmid }) => !going.has(vmid),
  );
  const users = files.map(file => [
    ...guests.filter(usesFile(file)).map(guestText),
    ...tasks.rows.filter(mayWorkWith(file)).map(({ type }) => `a task ${type} that runs`),
  ]);
  return { users, unread: [...tasks.unread, ...present.unread] };
}

async function all<T>(
  what: string,
  nodes: readonly string[],
  list: (node: string) => Promise<T[]>,
): Promise<{ rows: T[]; unread: string[] }> {
  const lists = await Promise.all(nodes.map(node => ifSeen(list(node))));
  return {
    rows: lists.flatMap(rows => rows ?? []),
    unread: nodes.filter((_, index) => lists[index] === undefined).map(node => `the ${what} of ${node}`),
  };
}

function usesFile({ volume, isSurplus }: KeptFile): (guest: GuestLines) => boolean {
  const checksum = checksumOf(volume);
  const tag = tagOfDataIso(volume);
  const words = checksum === undefined ? undefined : imageWords({ url: '', checksum });
  return guest => {
    if (namesVolume(guest, volume) !== false) return true;
    // a task that works with it is told beside
    if (isSurplus) return false;
    // its own runs remove what a machine does not use any more
    if (tag !== undefined) return guest.lines?.some(line => splitTags(line).includes(tag)) ?? true;
    return guest.lines?.some(line => wasMadeOf(line, words)) ?? true;
  };
}

function wasMadeOf(line: string, words: string | undefined): boolean {
  const { mark, isDamaged } = readDescription(line);
  return isDamaged || (mark !== undefined && mark.image === words);
}

/** A guest that is being made does not tell of what, until its task ends; the task of an upload never tells its file. */
function mayWorkWith({ volume }: KeptFile): (task: ActiveTask) => boolean {
  const name = volume.slice(volume.lastIndexOf('/') + 1);
  const isImage = checksumOf(volume) !== undefined;
  return ({ type, id }) => id === name || type === 'imgcopy' || (isImage && type === 'qmcreate');
}

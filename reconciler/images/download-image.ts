import { untouched, type ImageFile, type Objection } from '../action';
import { RefusedError } from '../errors';
import { ifSeen } from '../observe/if-allowed';
import {
  PveError,
  TaskError,
  downloadImage,
  listActiveTasks,
  listImports,
  waitForTask,
  type ActiveTask,
  type Pve,
  type TaskWait,
} from '../pve';

interface FetchContext {
  pve: Pve;
  wait: TaskWait;
  warn: (text: string) => void;
}

/**
 * Lets a node download a disk image to a storage, or wait for the one that does so already. Proxmox compares the file
 * that is there with the checksum, downloads nothing then, and never overwrites another.
 */
export async function fetchImage(
  machine: string,
  file: ImageFile,
  { pve, wait, warn }: FetchContext,
): Promise<void> {
  const name = file.volume.slice(file.volume.lastIndexOf('/') + 1);
  const running = await downloadOf(pve, file.nodes, name);
  if (running) await ended(pve, running, wait);
  const { node, storage, checksum, url = '' } = file;
  try {
    await downloadImage(pve, { node, storage, checksum, url, filename: name }, wait);
  } catch (error) {
    if (file.isThere && error instanceof PveError && error.kind === 'denied') {
      warn(`${file.volume} is taken as it is: its checksum may not be compared (${error.said})`);
      return;
    }
    throw error instanceof TaskError ? (wrongFile(machine, file, error) ?? error) : error;
  }
}

/** Whether the storage has a file of this name now; one that may not be seen counts as none. */
export async function isListed(pve: Pve, { node, storage, volume }: ImageFile): Promise<boolean> {
  const rows = (await ifSeen(listImports(pve, node, storage))) ?? [];
  return rows.some(({ volid }) => volid === volume);
}

// pve-common Tools.pm download_file_from_url: the file that stands there is not the one that is wanted
const OTHER_FILE = /^mismatch \(got /;
// the same: what came from the address; it is not kept
const OTHER_CONTENT = /^checksum mismatch: got '([0-9a-f]+)'/i;

/** What is wrong with a file by its checksum; undefined: the task failed for another reason. */
function wrongFile(machine: string, file: ImageFile, { task }: TaskError): RefusedError | undefined {
  const { exitStatus } = task;
  const [, found] = OTHER_CONTENT.exec(exitStatus) ?? [];
  if (found !== undefined) return new RefusedError([{ machine, ...otherContent(file, found) }]);
  if (!OTHER_FILE.test(exitStatus)) return undefined;
  return new RefusedError([{ machine, ...otherFile(file, exitStatus) }]);
}

function otherFile({ volume, node }: ImageFile, says: string): Objection {
  const detail = `${volume} is not the image that its name says: ${says}.`;
  const remedy = `Remove it, if nobody needs it (\`pvesm free ${volume}\` on ${node}), then run again: it is downloaded.`;
  return untouched('image-file-differs', detail, remedy);
}

function otherContent({ url, checksum }: ImageFile, found: string): Objection {
  const [algorithm = ''] = checksum.split(':');
  const detail = `what ${url} gives has the checksum ${algorithm}:${found}, and ${checksum} is wanted.`;
  const remedy = `Compare with what the publisher of the image says. If the image is the right one, set image.checksum to "${algorithm}:${found}"; else mend image.url, such as to an address whose image does not change.`;
  return untouched('image-checksum', detail, remedy);
}

/** Another run's download of this very file. PVE: its task has the name of the file as its id (behaviour.md §3). */
async function downloadOf(pve: Pve, nodes: readonly string[], name: string): Promise<ActiveTask | undefined> {
  // a node that does not answer downloads nothing that would be seen here
  const lists = await Promise.all(nodes.map(node => ifSeen(listActiveTasks(pve, node))));
  return lists.flatMap(list => list ?? []).find(({ type, id }) => type === 'download' && id === name);
}

/** How another run's download ends is reported there; here the file is asked for all the same. */
async function ended(pve: Pve, { upid }: ActiveTask, wait: TaskWait): Promise<void> {
  try {
    await waitForTask(pve, upid, wait);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
  }
}

import type { ImageSpec } from '../../spec';
import type { ImageFile, Objection } from '../action';
import { checksumOf, imageFileName, imageFormat, uploadedFileName } from '../guest/image-file';
import type { ObservedCluster, ObservedStorage } from '../observed';
import { ifSeen } from '../observe/if-allowed';
import { importStorages } from '../placement/import-storages';
import type { LocalFiles } from './local-files';
import { PveError, listImports, readUrlSize, type Pve } from '../pve';

/** Whether the address answers, and how long the file behind it is; undefined: nobody said. */
type AskSize = (node: string, url: string) => Promise<number | Objection | undefined>;

/** Finds where the file of an image stands, or is to stand, for a machine on this node. Reads only. */
export async function findImageFile(
  pve: Pve,
  cluster: ObservedCluster,
  { image, node }: { image: ImageSpec; node: string },
  { sizeOf, files }: { sizeOf: AskSize; files: LocalFiles },
): Promise<ImageFile | Objection> {
  if (image.file !== undefined) return findUploadedFile(pve, cluster, { image, node }, files);
  const { url = '', checksum = '' } = image;
  const name = imageFileName(url, checksum);
  const { found, why } = importStorages(image, storagesOf(cluster, node));
  const [first] = found;
  if (first === undefined) return noStorage(node, why);
  const file = (storage: ObservedStorage, isThere: boolean): ImageFile => ({
    ...{ node, url, checksum, isThere, storage: storage.name, volume: `${storage.name}:import/${name}` },
    nodes: nodesOf(storage, cluster, node),
  });
  const lists = await Promise.all(found.map(storage => seenOn(pve, node, storage.name)));
  const at = found.findIndex(({ name: storage }, index) =>
    lists[index]?.includes(`${storage}:import/${name}`),
  );
  if (at >= 0) return file(found[at] ?? first, true);
  const size = await sizeOf(node, url);
  if (typeof size === 'object') return size;
  const roomy = found.find(
    ({ available }) => size === undefined || available === undefined || available >= size,
  );
  return roomy ? file(roomy, false) : noRoom(`behind ${url}`, size ?? 0, found);
}

/** The same for a file of this machine: one that was uploaded whole, by whomever, or the one that is to be. */
async function findUploadedFile(
  pve: Pve,
  cluster: ObservedCluster,
  { image, node }: { image: ImageSpec; node: string },
  files: LocalFiles,
): Promise<ImageFile | Objection> {
  const { file: path = '', checksum = '' } = image;
  const { found, why } = importStorages(image, storagesOf(cluster, node));
  if (found.length === 0) return noStorage(node, why);
  const local = await files.look(path);
  if ('why' in local) return local;
  const at = (storage: ObservedStorage, volume: string, isThere: boolean): ImageFile => ({
    ...{ node, file: local, checksum, isThere, storage: storage.name, volume },
    nodes: nodesOf(storage, cluster, node),
  });
  const ending = files.endingOf(checksum);
  const wasDone = files.isDone(ending);
  for (const storage of found) {
    const rows = (await ifSeen(listImports(pve, node, storage.name))) ?? [];
    // a shorter one is a copy at work, or one that was cut short
    const whole = rows.find(
      ({ volid, size }) =>
        checksumOf(volid) === checksum && imageFormat(volid) === imageFormat(path) && size === local.bytes,
    );
    if (whole) return at(storage, whole.volid, true);
  }
  const differs = await files.differs(local, checksum);
  if (differs) return differs;
  const roomy = found.find(({ available = Infinity }) => available >= local.bytes);
  if (roomy === undefined) return noRoom(path, local.bytes, found);
  const name = uploadedFileName(path, checksum, wasDone ? files.anotherEnding(checksum) : ending);
  return at(roomy, `${roomy.name}:import/${name}`, false);
}

function nodesOf(storage: ObservedStorage, { nodes }: ObservedCluster, node: string): string[] {
  return storage.shared ? nodes.filter(({ online }) => online).map(({ name }) => name) : [node];
}

/** How long the file behind an address is, as the node sees it; or that nothing is there. */
export async function askSize(pve: Pve, node: string, url: string): Promise<number | Objection | undefined> {
  try {
    return await readUrlSize(pve, node, url);
  } catch (error) {
    if (!(error instanceof PveError) || error.kind === 'unauthenticated') throw error;
    // an address may refuse to say its length, and give the file all the same
    if (!NOTHING_THERE.test(error.facts.text)) return undefined;
    return {
      why: 'image-unreachable',
      detail: `image.url ${url} gives no file to node ${node}: ${error.facts.text.trim()}.`,
      remedy: 'Mend the address, or let the node reach it.',
      changed: 'nothing',
    };
  }
}

// pve-manager API2/Nodes.pm query_url_metadata, with the words of LWP (recording 93)
const NOTHING_THERE = /^invalid server response: '(?:404|410|500 Can't connect)/;

function storagesOf({ nodes }: ObservedCluster, node: string): readonly ObservedStorage[] {
  return nodes.find(({ name }) => name === node)?.storages ?? [];
}

/** Nothing where the caller may not look: then it is asked for, and Proxmox sees whether it is there. */
async function seenOn(pve: Pve, node: string, storage: string): Promise<string[]> {
  return ((await ifSeen(listImports(pve, node, storage))) ?? []).map(({ volid }) => volid);
}

function noStorage(node: string, why: string): Objection {
  return {
    why: 'no-import-storage',
    detail: `node ${node} has no place for the file of the image: ${why}.`,
    remedy: 'Name one of them in image.storage, or add "import" to the content of a storage of files.',
    changed: 'nothing',
  };
}

const MIB = 2 ** 20;

function noRoom(what: string, size: number, storages: readonly ObservedStorage[]): Objection {
  const rooms = storages.map(
    ({ name, available = 0 }) => `${name} has ${Math.floor(available / MIB)} MiB left`,
  );
  return {
    why: 'import-storage-full',
    detail: `the file ${what} has ${Math.ceil(size / MIB)} MiB, and ${rooms.join(', ')}.`,
    remedy: 'Make room there, or name another storage in image.storage.',
    changed: 'nothing',
  };
}

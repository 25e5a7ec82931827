import { MiB, type ImageSpec } from '../../spec';
import { untouched, type ImageFile, type LocalFile, type Objection } from '../action';
import { checksumOf, imageFileName, imageFormat, uploadedFileName } from '../guest/image-file';
import type { ObservedCluster, ObservedStorage } from '../observed';
import { ifSeen } from '../observe/if-allowed';
import { importStorages } from '../placement/import-storages';
import type { LocalFiles } from './local-files';
import { listImports, readUrlSize, type Pve, type StorageVolume, isOneLess } from '../pve';

/** What is wanted on a node: the file of an image, whose content is said, on one of these storages. */
interface WantedImage {
  checksum: string;
  node: string;
  found: readonly ObservedStorage[];
  at: (storage: ObservedStorage, volume: string, isThere: boolean) => ImageFile;
}

/** The disk images of one run: what the addresses say is asked once for all its machines. */
export class Images {
  private readonly sizes = new Map<string, ReturnType<typeof askSize>>();

  constructor(
    private readonly pve: Pve,
    private readonly files: LocalFiles,
  ) {}

  /** Where the file of an image stands, or is to stand, for a machine on this node. Reads only. */
  async find({ nodes }: ObservedCluster, image: ImageSpec, node: string): Promise<ImageFile | Objection> {
    const { storages = [] } = nodes.find(({ name }) => name === node) ?? {};
    const { found, why } = importStorages(image, storages);
    if (found.length === 0) return noStorage(node, why);
    const { file, url = '', checksum = '' } = image;
    const local = file === undefined ? undefined : await this.files.look(file);
    if (local && 'why' in local) return local;
    const online = nodes.filter(each => each.online).map(({ name }) => name);
    const sought: WantedImage = {
      ...{ checksum, node, found },
      at: (storage, volume, isThere) => ({
        ...{ node, ...(local ? { file: local } : { url }), checksum, isThere, storage: storage.name, volume },
        nodes: storage.shared ? online : [node],
      }),
    };
    return local ? this.uploaded(sought, local) : this.downloaded(sought, url);
  }

  private async downloaded(
    { checksum, node, found, at }: WantedImage,
    url: string,
  ): Promise<ImageFile | Objection> {
    const volumeOn = ({ name }: ObservedStorage): string => `${name}:import/${imageFileName(url, checksum)}`;
    const lists = await Promise.all(found.map(storage => this.listed(node, storage)));
    const there = found.find((storage, index) =>
      lists[index]?.some(({ volid }) => volid === volumeOn(storage)),
    );
    if (there) return at(there, volumeOn(there), true);
    const size = await this.sizeOf(node, url);
    if (typeof size === 'object') return size;
    const roomy = found.find(({ available = Infinity }) => available >= (size ?? 0));
    return roomy ? at(roomy, volumeOn(roomy), false) : noRoom(`behind ${url}`, size ?? 0, found);
  }

  /** One that was uploaded whole, by whomever, or the one that is to be. */
  private async uploaded(
    { checksum, node, found, at }: WantedImage,
    local: LocalFile,
  ): Promise<ImageFile | Objection> {
    const { path, bytes } = local;
    const ending = this.files.endingOf(checksum);
    const wasDone = this.files.isDone(ending);
    for (const storage of found) {
      const rows = await this.listed(node, storage);
      // a shorter one is a copy at work, or one that was cut short
      const whole = rows.find(
        ({ volid, size }) =>
          checksumOf(volid) === checksum && imageFormat(volid) === imageFormat(path) && size === bytes,
      );
      if (whole) return at(storage, whole.volid, true);
    }
    const differs = await this.files.differs(local, checksum);
    if (differs) return differs;
    const roomy = found.find(({ available = Infinity }) => available >= bytes);
    if (roomy === undefined) return noRoom(path, bytes, found);
    const name = uploadedFileName(path, checksum, wasDone ? this.files.anotherEnding(checksum) : ending);
    return at(roomy, `${roomy.name}:import/${name}`, false);
  }

  /** Nothing where the caller may not look: then it is asked for, and Proxmox sees whether it is there. */
  private async listed(node: string, { name }: ObservedStorage): Promise<StorageVolume[]> {
    return (await ifSeen(listImports(this.pve, node, name))) ?? [];
  }

  private sizeOf(node: string, url: string): ReturnType<typeof askSize> {
    const key = `${node} ${url}`;
    const known = this.sizes.get(key) ?? askSize(this.pve, node, url);
    this.sizes.set(key, known);
    return known;
  }
}

/** How long the file behind an address is, as the node sees it; or that nothing is there. */
async function askSize(pve: Pve, node: string, url: string): Promise<number | Objection | undefined> {
  try {
    return await readUrlSize(pve, node, url);
  } catch (error) {
    if (!isOneLess(error)) throw error;
    // an address may refuse to say its length, and give the file all the same
    if (!NOTHING_THERE.test(error.facts.text)) return undefined;
    const detail = `image.url ${url} gives no file to node ${node}: ${error.facts.text.trim()}.`;
    return untouched('image-unreachable', detail, 'Mend the address, or let the node reach it.');
  }
}

// pve-manager API2/Nodes.pm query_url_metadata, with the words of LWP (recording 93)
const NOTHING_THERE = /^invalid server response: '(?:404|410|500 Can't connect)/;

function noStorage(node: string, why: string): Objection {
  const detail = `node ${node} has no place for the file of the image: ${why}.`;
  const remedy = 'Name one of them in image.storage, or add "import" to the content of a storage of files.';
  return untouched('no-import-storage', detail, remedy);
}

function noRoom(what: string, size: number, storages: readonly ObservedStorage[]): Objection {
  const rooms = storages.map(
    ({ name, available = 0 }) => `${name} has ${Math.floor(available / MiB)} MiB left`,
  );
  const detail = `the file ${what} has ${Math.ceil(size / MiB)} MiB, and ${rooms.join(', ')}.`;
  const remedy = 'Make room there, or name another storage in image.storage.';
  return untouched('import-storage-full', detail, remedy);
}

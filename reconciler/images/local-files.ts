import { createHash, randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { untouched, type LocalFile, type Objection } from '../action';
import { whyUnreadable } from '../errors';
import { imageFormat } from '../guest/image-file';

/** The disk images on this machine that runs of one process upload. What they hash to is computed once. */
export class LocalFiles {
  private readonly hashes = new Map<string, Promise<string>>();
  private readonly endings = new Map<string, string>();
  private readonly done = new Set<string>();

  /** How long a file is; or why nothing can be made of it. */
  async look(path: string): Promise<LocalFile | Objection> {
    try {
      const found = await stat(path);
      if (!found.isFile()) return unreadable(path, 'is no file');
      if (found.size === 0) return unreadable(path, 'is empty');
      await access(path, constants.R_OK);
      return await judged({ path, bytes: found.size });
    } catch (error) {
      return unreadable(path, whyUnreadable(error));
    }
  }

  /** Why the content of a file is not the one that is wanted; undefined: it is. Never holds the whole file. */
  async differs({ path }: LocalFile, checksum: string): Promise<Objection | undefined> {
    const [algorithm = ''] = checksum.split(':');
    const { mtimeMs, size } = await stat(path);
    const key = [path, mtimeMs, size, algorithm].join(' ');
    const hashing = this.hashes.get(key) ?? hashOf(path, algorithm);
    this.hashes.set(key, hashing);
    // what could not be read once may be readable later
    void hashing.catch(() => this.hashes.delete(key));
    const got = `${algorithm}:${await hashing}`;
    if (got === checksum) return undefined;
    const detail = `image.file ${path} hashes to ${got}, and image.checksum is ${checksum}.`;
    const remedy = 'Give the checksum of the file, or the file that is meant.';
    return untouched('image-file-differs', detail, remedy);
  }

  /**
   * What stands at the end of an uploaded file's name, so that no two uploads ever write one file: Proxmox copies over
   * what is there, and somebody may be importing it (API2/Storage/Status.pm upload).
   */
  endingOf(checksum: string): string {
    return this.endings.get(checksum) ?? this.anotherEnding(checksum);
  }

  /** Whether an upload of this ending was done: what is missing later was removed by somebody. */
  isDone(ending: string): boolean {
    return this.done.has(ending);
  }

  finished(checksum: string): void {
    this.done.add(this.endingOf(checksum));
  }

  /** For an upload anew: the copy of the former one may still be at work. */
  anotherEnding(checksum: string): string {
    const ending = randomBytes(4).toString('hex');
    this.endings.set(checksum, ending);
    return ending;
  }
}

/** What the first bytes of a file tell of it (QEMU, docs/interop/qcow2.txt): its magic, and the size of its disk. */
async function judged(file: LocalFile): Promise<LocalFile | Objection> {
  const format = imageFormat(file.path);
  if (format === 'raw') return { ...file, diskBytes: file.bytes };
  if (format !== 'qcow2') return file;
  const start = await startOf(file.path, 32);
  if (start.length === 32 && start.toString('latin1', 0, 4) === 'QFI\xfb')
    return { ...file, diskBytes: Number(start.readBigUInt64BE(24)) };
  const detail = `image.file ${file.path} is no qcow2 image: it does not begin as one.`;
  const remedy =
    'Give an image in qcow2, unpacked; or name its format by its ending: .raw, .vmdk (`qemu-img info` tells it).';
  return untouched('image-file-unreadable', detail, remedy);
}

async function startOf(path: string, length: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, why: string): Objection {
  const detail = `image.file ${path} ${why}. It is read on the machine where the reconciler runs.`;
  const remedy =
    'Put it there. Where Terraform runs elsewhere (HCP Terraform, a remote runner), use image.url instead.';
  return untouched('image-file-unreadable', detail, remedy);
}

async function hashOf(path: string, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  const parts: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20 });
  for await (const part of parts) hash.update(part);
  return hash.digest('hex');
}

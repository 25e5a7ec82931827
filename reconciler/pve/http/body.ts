import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * A body before it was compressed; undefined where nobody knows how. Proxmox compresses only for those who ask for it,
 * which we do not; what stands in front of it may not care.
 */
export function decodedBody(body: Readable, encoding: string | string[] = ''): Readable | undefined {
  const name = String(encoding).trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decoder = DECODERS[name]?.();
  // whoever reads the decoder is told of every failure
  return decoder && pipeline(body, decoder, () => undefined);
}

const MIB = 2 ** 20;

/** How large an answer may be, in bytes, by its path. Proxmox writes some 600 bytes for a guest in a list. */
const MOST: [RegExp, number][] = [
  [/^\/(?:cluster\/resources|access\/permissions)(?:\?|$)/, 16 * MIB],
  [/\/(?:qemu|tasks|content|log)(?:\?|$)/, 4 * MIB],
];

/** What is no list: one guest's configuration, a task's end. */
const MOST_OTHERS = MIB;

/** More of an error is not read: its text is short. */
const MOST_OF_ERROR = MIB / 4;

/** The most that is read of an answer to this request. */
export function mostBytes(path: string): number {
  return MOST.find(([pattern]) => pattern.test(path))?.[1] ?? MOST_OTHERS;
}

/** The body of an answer, whole. Undefined where it is larger than that; what is left of it is not read. */
export async function readBody(
  body: AsyncIterable<Buffer>,
  { path, status }: { path: string; status: number },
): Promise<Buffer | undefined> {
  const most = status >= 400 ? MOST_OF_ERROR : mostBytes(path);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) return status >= 400 ? Buffer.alloc(0) : undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

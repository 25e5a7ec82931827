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

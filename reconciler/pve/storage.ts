import * as z from 'zod';
import type { Pve } from './client';
import { count, listingOf } from './wire-values';

const Volume = z.object({ volid: z.string(), vmid: count.optional() });
export type StorageVolume = z.infer<typeof Volume>;

/** The disk images on one storage. A linked clone's volume names its base in `volid`. */
export function listImages(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/content`;
  return pve.call({ method: 'GET', path, params: { content: 'images' }, answer: listingOf(Volume) });
}

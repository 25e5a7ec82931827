import * as z from 'zod';
import type { Pve } from '../http/client';
import { count, listingOf } from '../answers/wire-values';

const Volume = z.object({ volid: z.string(), vmid: count.optional() });
export type StorageVolume = z.infer<typeof Volume>;

/** The disk images on one storage. A linked clone's volume names its base in `volid`. */
export function listImages(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call({ ...contentOf(node, storage), params: { content: 'images' } });
}

/** All volumes on one storage that the caller may use, images and ISO files alike. */
export function listVolumes(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call(contentOf(node, storage));
}

function contentOf(node: string, storage: string) {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/content`;
  return { method: 'GET', path, answer: listingOf(Volume) } as const;
}

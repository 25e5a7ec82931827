import * as z from 'zod';
import type { Pve } from '../http/client';
import type { FileToSend } from '../http/form';
import { count, listingOf } from '../answers/wire-values';
import { nodePath } from './nodes';
import { asTask, asTaskIfSlow, type TaskEnd, type TaskWait } from './task';

const Volume = z.object({ volid: z.string(), vmid: count.optional(), size: count.optional() });
export type StorageVolume = z.infer<typeof Volume>;

type List = (pve: Pve, node: string, storage: string) => Promise<StorageVolume[]>;

const listOf =
  (params: { content?: string; vmid?: number } = {}): List =>
  (pve, node, storage) => {
    const path = `${storagePath(node, storage)}/content`;
    return pve.call({ method: 'GET', path, params, answer: listingOf(Volume) });
  };

/** All volumes on one storage that the caller may use, images and ISO files alike. */
export const listVolumes = listOf();
/** The disk images on one storage. A linked clone's volume names its base in `volid`. */
export const listImages = listOf({ content: 'images' });
/** The same of the volumes that have the number of one guest: a storage of files looks at no other. */
export const listImagesOf = (
  pve: Pve,
  { node, storage, vmid }: { node: string; storage: string; vmid: number },
): Promise<StorageVolume[]> => listOf({ content: 'images', vmid })(pve, node, storage);
/** The disk images on one storage that a disk can be imported from. */
export const listImports = listOf({ content: 'import' });
/** The ISO files on one storage that the caller may use. */
export const listIsos = listOf({ content: 'iso' });

/** A checksum as `algorithm:digits`, in Proxmox's words. It compares it before it stores anything. */
function checksumParams(checksum: string) {
  const [algorithm, digits] = checksum.split(':');
  return { 'checksum-algorithm': algorithm, checksum: digits };
}

/** Lets a node download a disk image; one that stands there with the right checksum is left as it is. */
export function downloadImage(
  pve: Pve,
  { node, storage, checksum, ...said }: OnStorage & { url: string; filename: string },
  wait: TaskWait,
): Promise<TaskEnd> {
  const params = { content: 'import', ...said, ...checksumParams(checksum) };
  const path = `${storagePath(node, storage)}/download-url`;
  return asTask(pve, { method: 'POST', path, params, waits: true }, wait);
}

interface OnStorage {
  node: string;
  storage: string;
  checksum: string;
}

const UrlMetadata = z.object({ size: count.optional() });

/** How long the file behind an address is, as the node is told by a HEAD request. */
export async function readUrlSize(pve: Pve, node: string, url: string): Promise<number | undefined> {
  const path = `${nodePath(node)}/query-url-metadata`;
  return (await pve.call({ method: 'GET', path, params: { url }, answer: UrlMetadata })).size;
}

/** Puts a file onto a storage, in place of one of that name. */
export function uploadFile(
  pve: Pve,
  { node, storage, content, checksum, file }: OnStorage & { content: 'iso' | 'import'; file: FileToSend },
  wait: TaskWait,
): Promise<TaskEnd> {
  const path = `${storagePath(node, storage)}/upload`;
  const params = { content, ...checksumParams(checksum) };
  // what is read from a disk while it is sent may be large
  const limit = 'path' in file ? { timeoutMs: wait.timeoutMs } : {};
  return asTask(pve, { method: 'POST', path, params, file, waits: true, ...limit }, wait);
}

/** Deletes a volume, also one that is in use: whoever uses it is to be asked before. One that is gone is done. */
export function deleteVolume(pve: Pve, node: string, volume: string, wait: TaskWait): Promise<TaskEnd> {
  const storage = volume.slice(0, volume.indexOf(':'));
  const path = `${storagePath(node, storage)}/content/${encodeURIComponent(volume)}`;
  return asTaskIfSlow(pve, { method: 'DELETE', path }, wait);
}

function storagePath(node: string, storage: string): string {
  return `${nodePath(node)}/storage/${encodeURIComponent(storage)}`;
}

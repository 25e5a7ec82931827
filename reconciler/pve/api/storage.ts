import * as z from 'zod';
import type { Pve } from '../http/client';
import { TaskId } from '../answers/upid';
import type { FileOnDisk } from '../http/form';
import { count, listingOf } from '../answers/wire-values';
import { waitForTask, type TaskEnd, type TaskWait } from './task';

const Volume = z.object({ volid: z.string(), vmid: count.optional(), size: count.optional() });
export type StorageVolume = z.infer<typeof Volume>;

/** The disk images on one storage. A linked clone's volume names its base in `volid`. */
export function listImages(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call({ ...contentOf(node, storage), params: { content: 'images' } });
}

/** All volumes on one storage that the caller may use, images and ISO files alike. */
export function listVolumes(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call(contentOf(node, storage));
}

/** The disk images on one storage that a disk can be imported from. */
export function listImports(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call({ ...contentOf(node, storage), params: { content: 'import' } });
}

/** Lets a node download a disk image; one that stands there with the right checksum is left as it is. */
export async function downloadImage(
  pve: Pve,
  node: string,
  storage: string,
  params: { url: string; filename: string; checksum: string; 'checksum-algorithm': string },
  wait: TaskWait,
): Promise<TaskEnd> {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/download-url`;
  const upid = await pve.call({
    method: 'POST',
    path,
    params: { content: 'import', ...params },
    answer: TaskId,
  });
  return waitForTask(pve, upid, wait);
}

const UrlMetadata = z.object({ size: count.optional() });

/** How long the file behind an address is, as the node is told by a HEAD request. */
export async function readUrlSize(pve: Pve, node: string, url: string): Promise<number | undefined> {
  const path = `/nodes/${encodeURIComponent(node)}/query-url-metadata`;
  return (await pve.call({ method: 'GET', path, params: { url }, answer: UrlMetadata })).size;
}

/** The ISO files on one storage that the caller may use. */
export function listIsos(pve: Pve, node: string, storage: string): Promise<StorageVolume[]> {
  return pve.call({ ...contentOf(node, storage), params: { content: 'iso' } });
}

/** Puts an ISO file onto a storage, in place of one of that name. Proxmox compares the checksum before it stores. */
export async function uploadIso(
  pve: Pve,
  { node, storage, name, sha256, content }: IsoUpload,
  wait: TaskWait,
): Promise<TaskEnd> {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/upload`;
  const params = { content: 'iso', 'checksum-algorithm': 'sha256', checksum: sha256 };
  const upid = await pve.call({ method: 'POST', path, params, file: { name, content }, answer: TaskId });
  return waitForTask(pve, upid, wait);
}

/** Puts a file of this machine onto a storage as it is read, in place of one of that name. Proxmox compares the checksum first. */
export async function uploadFile(
  pve: Pve,
  { node, storage, params, file }: FileUpload,
  wait: TaskWait,
): Promise<TaskEnd> {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/upload`;
  const { timeoutMs } = wait;
  const upid = await pve.call({ method: 'POST', path, params, file, timeoutMs, answer: TaskId });
  return waitForTask(pve, upid, wait);
}

export interface FileUpload {
  node: string;
  storage: string;
  params: { content: string; 'checksum-algorithm': string; checksum: string };
  file: FileOnDisk;
}

export interface IsoUpload {
  node: string;
  storage: string;
  name: string;
  sha256: string;
  content: Buffer;
}

/** Deletes a volume, also one that is in use: whoever uses it is to be asked before. One that is gone is done. */
export async function deleteVolume(pve: Pve, node: string, volume: string, wait: TaskWait): Promise<void> {
  const storage = volume.slice(0, volume.indexOf(':'));
  const { path } = contentOf(node, storage);
  const upid = await pve.call({
    method: 'DELETE',
    path: `${path}/${encodeURIComponent(volume)}`,
    answer: TaskId.nullable(),
  });
  if (upid !== null) await waitForTask(pve, upid, wait);
}

function contentOf(node: string, storage: string) {
  const path = `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}/content`;
  return { method: 'GET', path, answer: listingOf(Volume) } as const;
}

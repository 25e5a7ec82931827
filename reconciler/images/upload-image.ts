import { MiB } from '../../spec';
import type { ImageFile, LocalFile } from '../action';
import { uploadFile, type Pve, type TaskWait } from '../pve';
import type { LocalFiles } from './local-files';

interface UploadContext {
  pve: Pve;
  wait: TaskWait;
  say: (text: string) => void;
  files: LocalFiles;
}

/** Uploads a disk image of this machine under a name that no other upload has, and tells how far it is. */
export async function uploadImage(
  { node, storage, volume, checksum }: ImageFile,
  { path, bytes }: LocalFile,
  { pve, wait, say, files }: UploadContext,
): Promise<void> {
  const name = volume.slice(volume.lastIndexOf('/') + 1);
  let told = 0;
  const sent = (so: number): void => {
    const percent = Math.floor((so / bytes) * 10) * 10;
    if (percent <= told) return;
    told = percent;
    say(`uploading ${path} to ${storage}: ${percent} % of ${Math.ceil(bytes / MiB)} MiB`);
  };
  const file = { name, path, bytes, sent };
  try {
    await uploadFile(pve, { node, storage, content: 'import', checksum, file }, wait);
    files.finished(checksum);
  } catch (error) {
    files.anotherEnding(checksum);
    throw error;
  }
}

import type { ImageFile, LocalFile } from '../action';
import { uploadFile, type Pve, type TaskWait } from '../pve';
import type { LocalFiles } from './local-files';

interface Around {
  pve: Pve;
  wait: TaskWait;
  say: (text: string) => void;
  files: LocalFiles;
}

/** Uploads a disk image of this machine under a name that no other upload has, and tells how far it is. */
export async function uploadImage(
  { node, storage, volume, checksum }: ImageFile,
  { path, bytes }: LocalFile,
  { pve, wait, say, files }: Around,
): Promise<void> {
  const [algorithm = '', digest = ''] = checksum.split(':');
  const name = volume.slice(volume.lastIndexOf('/') + 1);
  let told = 0;
  const sent = (so: number): void => {
    const percent = Math.floor((so / bytes) * 10) * 10;
    if (percent <= told) return;
    told = percent;
    say(`uploading ${path} to ${storage}: ${percent} % of ${Math.ceil(bytes / 2 ** 20)} MiB`);
  };
  const params = { content: 'import', 'checksum-algorithm': algorithm, checksum: digest };
  try {
    await uploadFile(pve, { node, storage, params, file: { name, path, bytes, sent } }, wait);
    files.finished(checksum);
  } catch (error) {
    files.anotherEnding(checksum);
    throw error;
  }
}

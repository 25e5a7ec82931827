import { createHash } from 'node:crypto';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { downloadFile, urlMetadata } from '../../storage/incoming/download';
import type { IncomingFile } from '../../storage/incoming/file';
import { checkSum, incomingFile, inspect, storeFile } from '../../storage/incoming/file';
import { isFileStorage } from '../../storage/plugins';
import { contentOf, storageOn } from '../../storage/on-node';
import { tryFindVolume } from '../../storage/volumes/volumes';
import { copying, downloaded } from '../../tasks/copying';
import type { TaskContext } from '../../tasks/task';
import type { Download } from '../../world';

/** Downloads into storages, and what a node sees at an address. The world's `downloads` are there, and what listens on 127.0.0.1. */
export const storageDownloadHandlers: HandlerTable = {
  'POST /nodes/{node}/storage/{storage}/download-url': download,
  'GET /nodes/{node}/query-url-metadata': ({ sim, params }) => urlMetadata(sim, params['url'] ?? ''),
};

function download(call: Call): string {
  const { sim, node, user, params } = call;
  const { content = '', url = '', compression } = params;
  const storage = storageOn(sim, node, params['storage'] ?? '');
  if (!isFileStorage(storage.type)) {
    fail(`can't upload to storage type '${storage.type}', not a file based storage!`);
  }
  if (!contentOf(storage).includes(content)) {
    fail(`storage '${storage.storage}' is not configured for content-type '${content}'`);
  }
  const file = incomingFile(storage, content, params['filename'] ?? '');
  return sim.tasks.start({ type: 'download', id: file.name, node, user }, async task => {
    if (compression !== undefined && content !== 'iso') fail(`decompression not supported for ${content}`);
    task.log(`downloading ${url} to ${file.path}`);
    if (standsAlready(call, file, task)) return;
    const found = await downloadFile(sim, url, line => task.log(line));
    await copying(task, task.usualMs, share => task.log(downloaded(found.size, share)));
    take(call, file, found, task);
    task.log(`download of '${url}' to '${file.path}' finished`);
  });
}

/** Whether the file is there with the right checksum. Fails when it is there otherwise: Proxmox never overwrites. */
function standsAlready({ sim, node, params }: Call, file: IncomingFile, task: TaskContext): boolean {
  const old = tryFindVolume(sim, node, file.volid);
  const { checksum, 'checksum-algorithm': algorithm } = params;
  if (!old) return false;
  if (checksum === undefined || algorithm === undefined) {
    fail(`refusing to override existing file '${file.path}'`);
  }
  const got = createHash(algorithm)
    .update(Buffer.from(old.text ?? '', 'latin1'))
    .digest('hex');
  if (old.text === undefined || got === checksum.toLowerCase()) {
    task.log('calculating checksum of existing file...OK, got correct file already, no need to download');
    return true;
  }
  task.log('calculating checksum of existing file...');
  return fail(`mismatch (got '${got}' != expect '${checksum}'), aborting`);
}

/** Checks what has come and puts it into the storage. A file whose content the world does not hold is taken as good. */
function take({ sim, node, params }: Call, file: IncomingFile, found: Download, task: TaskContext): void {
  const { checksum, 'checksum-algorithm': algorithm } = params;
  const virtual = found.virtualSize ?? found.size;
  const boots = found.system ? { system: found.system } : {};
  if (found.text === undefined) {
    if (checksum !== undefined) task.log('calculating checksum...OK, checksum verified');
    storeFile(sim, node, file, { size: virtual, filesize: found.size, ...boots });
    return;
  }
  const data = Buffer.from(found.text, 'latin1');
  if (algorithm !== undefined && checksum !== undefined) {
    checkSum(algorithm, checksum, data, line => task.log(line));
  }
  const size = inspect(file, data, `${file.path}.tmp_dwnl`);
  storeFile(sim, node, file, { size, filesize: data.length, data, ...boots });
}

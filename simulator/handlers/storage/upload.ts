import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { isFileStorage } from '../../storage/plugins';
import type { IncomingFile } from '../../storage/incoming/file';
import { checkSum, incomingFile, inspect, storeFile } from '../../storage/incoming/file';
import { contentOf, storageOn } from '../../storage/on-node';
import type { TaskContext } from '../../tasks/task';

/** Uploads of ISO images, templates and disks. */
export const storageUploadHandlers: HandlerTable = {
  'POST /nodes/{node}/storage/{storage}/upload': upload,
};

function upload(call: Call): string {
  const { sim, node: entry, user, params } = call;
  const { node = entry, content = '' } = params;
  const storage = storageOn(sim, node, params['storage'] ?? '');
  if (!isFileStorage(storage.type)) fail(`can't upload to storage type '${storage.type}'`);
  if (!call.upload) fail('missing temporary file name');
  const { data } = call.upload;
  const file = incomingFile(storage, content, params['filename'] ?? call.upload.filename);
  if (!contentOf(storage).includes(content)) {
    fail(`storage '${storage.storage}' does not support '${content}' content`);
  }
  const temporary = `/var/tmp/pveupload-${sim.random.hex(32)}`;
  // PVE: the task runs where the upload arrived and copies the file from there
  return sim.tasks.start({ type: 'imgcopy', id: '', node: entry, user }, async task => {
    task.log(`starting file import from: ${temporary}`);
    const { checksum, 'checksum-algorithm': algorithm } = params;
    if (algorithm !== undefined && checksum !== undefined) {
      checkSum(algorithm, checksum, data, line => task.log(line));
    }
    const size = inspect(file, data, temporary);
    task.log(`target node: ${node}`);
    task.log(`target file: ${file.path}`);
    task.log(`file size is: ${data.length}`);
    task.log(`command: ${copyCommand(call, temporary, file)}`);
    await finish(task, () => storeFile(sim, node, file, { size, filesize: data.length, data }));
  });
}

async function finish(task: TaskContext, store: () => void): Promise<void> {
  await task.workUsual();
  store();
  task.log('finished file import successfully');
}

function copyCommand({ sim, node: entry, params }: Call, temporary: string, { path }: IncomingFile): string {
  const { node = entry } = params;
  if (node === entry || node === 'localhost') return `cp -- ${temporary} ${path}`;
  const ip = sim.world.nodes.find(({ name }) => name === node)?.ip ?? node;
  const options = `-o BatchMode=yes -o HostKeyAlias=${node} -o UserKnownHostsFile=/etc/pve/nodes/${node}/ssh_known_hosts`;
  return `/usr/bin/scp ${options} -o GlobalKnownHostsFile=none -p -- ${temporary} [${ip}]:${path}`;
}

import { statSync } from 'node:fs';
import { InputError } from '../errors';
import { EXIT } from '../report/exit-code';
import { foldersAmong, foreignFiles, makeFolder, writeFiles, type Files } from '../module/written-files';
import { onFile } from '../input/file-text';
import type { Options, Surroundings } from '../input/surroundings';
import { moduleFiles } from '../module/module-files';
import { writeFromStack } from './module-from';

/** Writes the Terraform module into a folder, with this program in it. Overwrites only what it wrote itself. */
export function writeModule(around: Surroundings, options: Options, [folder]: string[]): Promise<number> {
  if (options.from !== undefined) return writeFromStack(around, { ...options, from: options.from }, folder);
  if (options.out !== undefined)
    throw new InputError(
      'without --from, the folder is no flag: pve-reconciler module ./proxmox. Nothing was written.',
    );
  if (folder === undefined) {
    throw new InputError(
      'Say into which folder the module is written: pve-reconciler module ./proxmox. Or say which stack is to become HCL: pve-reconciler module --from cdktf.out/stacks/web',
    );
  }
  const files = moduleFiles();
  openFolder(folder);
  onFile(
    () => {
      refuseForeign(folder, files, options);
      writeFiles(folder, files);
    },
    code => `${folder} cannot be written (${code}). Nothing was written. ${ANOTHER}`,
  );
  around.reporter.say('info', `${folder}: ${[...files.keys()].join(', ')}`);
  return Promise.resolve(EXIT.done);
}

const ANOTHER = 'Give another folder, or let this user write into it.';

function openFolder(folder: string): void {
  onFile(
    () => makeFolder(folder),
    code => `${folder} cannot be made (${code}). Nothing was written. ${ANOTHER}`,
  );
  if (!statSync(folder).isDirectory()) {
    throw new InputError(`${folder} is no folder. Nothing was written. Give the name of a folder.`);
  }
}

function refuseForeign(folder: string, files: Files, { force }: Options): void {
  const [blocked] = foldersAmong(folder, files);
  if (blocked !== undefined) {
    throw new InputError(
      `in ${folder}, ${blocked} is a folder. Nothing was written. Remove it, or give another one.`,
    );
  }
  const foreign = force === true ? [] : foreignFiles(folder, files);
  if (foreign.length === 0) return;
  throw new InputError(
    `${folder} has files that this command did not write, or that were changed since: ${foreign.join(', ')}. Nothing was written. Give another folder, or --force to overwrite them.`,
  );
}

import { readFileSync } from 'node:fs';
import { InputError } from '../errors';
import { EXIT } from '../exit-code';
import { moduleFiles } from '../module/module-files';
import { foreignFiles, writeFiles } from '../module/written-files';
import type { Options, Surroundings } from './surroundings';

/** Writes the Terraform module into a folder, with this program in it. Overwrites only what it wrote itself. */
export function writeModule(around: Surroundings, options: Options, [folder]: string[]): Promise<number> {
  if (folder === undefined) {
    throw new InputError('Say into which folder the module is written: pve-reconciler module ./proxmox');
  }
  const program: [string, Buffer] = ['reconciler.cjs', readFileSync(__filename)];
  const texts = Object.entries(moduleFiles()).map(([name, text]): [string, Buffer] => [
    name,
    Buffer.from(text),
  ]);
  const files = new Map([...texts, program]);
  const foreign = foreignFiles(folder, files);
  if (foreign.length > 0 && options.force !== true) {
    throw new InputError(
      `${folder} has files that this command did not write, or that were changed since: ${foreign.join(', ')}. Nothing was written. Give another folder, or --force to overwrite them.`,
    );
  }
  writeFiles(folder, files);
  around.reporter.say('info', `${folder}: ${[...files.keys()].join(', ')}`);
  return Promise.resolve(EXIT.done);
}

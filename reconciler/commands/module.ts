import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../errors';
import { EXIT } from '../report/exit-code';
import { foldersAmong, foreignFiles, makeFolder, writeFiles, type Files } from '../module/written-files';
import { onFile } from '../input/file-text';
import type { Options, Surroundings } from '../input/surroundings';
import { jsonSchemas } from '../../spec';
import { mainTf } from '../module/main-tf';
import { moduleReadme } from '../module/module-readme';
import { outputsTf } from '../module/outputs-tf';
import type { Schema } from '../module/field-kinds';
import { variablesTf } from '../module/variables-tf';

/** The reconciler itself: this very file, and what is called and loads it. In a stack both have a hash in their names. */
const PROGRAM = path.basename(__filename);
const CALLED = PROGRAM.replace('reconciler-program', 'reconciler');

/** Writes the Terraform module into a folder, with this program in it. Overwrites only what it wrote itself. */
export function writeModule(around: Surroundings, options: Options, [folder]: string[]): Promise<number> {
  if (folder === undefined) {
    throw new InputError('Say into which folder the module is written: pve-reconciler module ./proxmox');
  }
  const bytesOf = (name: string): Buffer => readFileSync(path.join(__dirname, name));
  const files = new Map<string, string | Buffer>([
    ...Object.entries(moduleFiles()),
    ['reconciler.cjs', bytesOf(CALLED)],
    ['reconciler-program.cjs', bytesOf(PROGRAM)],
  ]);
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

/** The files of the Terraform module by name, besides the reconciler itself. */
function moduleFiles(): Record<string, string> {
  // as plain JSON: zod's own type of it allows more than our documents use
  const schemas: Readonly<Record<string, Schema>> = JSON.parse(JSON.stringify(jsonSchemas()));
  const { machine = {}, cluster = {}, node = {}, snapshot = {}, existing = {} } = schemas;
  const { 'machine-outputs': outputs = {}, 'prepared-image': image = {} } = schemas;
  const { defaults: _, ...fields } = cluster.properties ?? {};
  const ownCluster = { ...cluster, properties: fields };
  return {
    'README.md': moduleReadme(machine, outputs),
    'main.tf': mainTf(),
    'outputs.tf': outputsTf(outputs),
    'variables.tf': variablesTf({ machine, cluster: ownCluster, node, image, snapshot, existing }),
    'versions.tf': VERSIONS_TF,
  };
}

/** What the module needs. It brings no provider block, so that for_each and depends_on stay possible on its call. */
const VERSIONS_TF = `terraform {
  required_version = ">= 1.9.0"

  required_providers {
    external = {
      source  = "hashicorp/external"
      version = ">= 1.2.0"
    }
    null = {
      source  = "hashicorp/null"
      version = ">= 1.0.0"
    }
  }
}
`;

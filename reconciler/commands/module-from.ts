import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isRecord, protocolMismatch } from '../../spec';
import { InputError } from '../errors';
import { fileText, isFolder, namesIn, onFile } from '../input/file-text';
import { readJson } from '../input/read-json';
import type { Options, Surroundings } from '../input/surroundings';
import { CLUSTER_OF_STACK } from '../module/entry-tf';
import { mayHoldSecrets } from '../module/from/may-hold-secrets';
import { stackInHcl, type StackInHcl } from '../module/from/stack-in-hcl';
import { stateIn } from '../module/from/state-place';
import { makeFolder, writeFiles } from '../module/written-files';
import { EXIT } from '../report/exit-code';
import { oneLine } from '../report/visible';
import { moduleFiles } from '../module/module-files';
import { BESIDE, folderState, isVacant, putInPlace, type FolderState } from './module-place';

const STACK = 'cdk.tf.json';

/**
 * Writes a synthesized stack as HCL on our module. It reads the stack alone: no state, no cluster. The folder is there as a
 * whole, or not at all.
 */
export async function writeFromStack(
  around: Surroundings,
  { from, out, force = false }: Options & { from: string },
  word: string | undefined,
): Promise<number> {
  if (out !== undefined && word !== undefined)
    throw new InputError(`${oneLine(word)} and --out both name a folder: give one. Nothing was written.`);
  const json = await stackIn(from);
  const folder = out ?? word ?? nameOf(json, from);
  refuseFolder(folder, from);
  const placed = stateIn(json, from, folder);
  const read = readStack(placed.json, from);
  if ('reasons' in read) return refused(around, from, read.reasons);
  const found = onFile(
    () => write(folder, { from, force }, read),
    code =>
      `${folder} cannot be written (${code}). Nothing of it was changed. Give another folder, or let this user write into it.`,
  );
  const { reporter } = around;
  for (const remark of remarksOf(found, read, from)) reporter.say('warn', `${folder}: ${remark}`);
  const names = [...read.files.keys(), ...read.clusters.keys()].join(', ');
  reporter.say('info', `${folder}: ${names}. Machines: ${read.machines}.`);
  if (placed.missing !== undefined)
    reporter.say(
      'warn',
      `${folder}: there is no state at ${placed.missing} yet, where Terraform will look for it. With a state elsewhere, change path in kept.tf.json first: a plan without the state shows all machines as new, and must not be applied.`,
    );
  reporter.say(
    'info',
    `Next, in ${folder}: terraform init, then terraform plan. It must say "0 to add, 0 to change, 0 to destroy", and what has moved. Apply it once; from then on change the machines there, and no more in the program of the stack.`,
  );
  return EXIT.done;
}

function readStack(json: unknown, from: string): ReturnType<typeof stackInHcl> {
  const file = path.join(from, STACK);
  const read = withRemark(() => stackInHcl(json), `${file}: `);
  if ('reasons' in read) return read;
  if (read.clusters.size === 0)
    throw new InputError(
      `${file} holds no ProxmoxCluster. Nothing was written. Name the folder of a stack that has one.`,
    );
  const mismatch = protocolMismatch(read.protocol);
  if (mismatch !== undefined) throw new InputError(`${file}: ${mismatch} Nothing was written.`);
  return read;
}

/** What is wrong with the stack, and that nothing came of it. */
function withRemark<T>(work: () => T, file = ''): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${file}${oneLine(error.message)} Nothing was written.`, { cause: error });
  }
}

async function stackIn(from: string): Promise<unknown> {
  const example = 'Name the own folder of a synthesized stack, such as cdktf.out/stacks/web.';
  if (!(await isFolder(from)))
    throw new InputError(`--from ${from}: there is no such folder. ${example} Nothing was written.`);
  if (!(await namesIn(from)).includes(STACK))
    throw new InputError(`--from ${from}: the folder has no ${STACK}. ${example} Nothing was written.`);
  const file = path.join(from, STACK);
  const text = await fileText(file);
  return withRemark(() => readJson(text, file));
}

function nameOf(json: unknown, from: string): string {
  const notes = isRecord(json) && isRecord(json['//']) ? json['//']['metadata'] : undefined;
  const name = isRecord(notes) ? notes['stackName'] : undefined;
  return typeof name === 'string' && /^[\w-]+$/.test(name) ? name : path.basename(path.resolve(from));
}

function refuseFolder(folder: string, from: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory())
    throw new InputError(`${folder} is no folder. Nothing was written. Give the name of a folder.`);
  if (readdirSync(folder).includes(STACK))
    throw new InputError(
      `${folder} holds a stack itself (${STACK}), which Terraform would read beside the HCL. Nothing was written. Give --out with another folder than ${from}.`,
    );
}

function refused({ reporter }: Surroundings, from: string, reasons: readonly string[]): number {
  for (const reason of reasons) reporter.say('error', `${oneLine(reason)}.`);
  reporter.say(
    'error',
    `${from} cannot be written as calls of the module. Nothing was written. Change the program where it says so, synthesize, and run this again; that is safe.`,
  );
  return EXIT.refused;
}

/** All is made beside the folder first, and takes its place at the end. */
function write(
  folder: string,
  { from, force }: { from: string; force: boolean },
  { files, clusters }: StackInHcl,
): FolderState {
  const target = existsSync(folder) ? realpathSync(folder) : path.resolve(folder);
  makeFolder(path.dirname(target));
  const made = `${target}.${randomBytes(6).toString('hex')}`;
  // nobody can read this who could not read the stack
  const mode = (statSync(path.join(from, STACK)).mode & 0o666) | 0o600;
  try {
    mkdirSync(made, { mode: (statSync(from).mode & 0o777) | 0o700 });
    for (const [name, text] of files) writeFileSync(path.join(made, name), text, { mode });
    for (const [module, cluster] of clusters) {
      mkdirSync(path.join(made, module));
      writeFiles(path.join(made, module), moduleFiles());
      writeFileSync(path.join(made, module, CLUSTER_OF_STACK), cluster, { mode });
    }
    for (const name of besideOf(from))
      cpSync(path.join(from, name), path.join(made, name), { recursive: true, dereference: true });
    const found = folderState(made, target);
    if (!isVacant(target) && !force) throw notEmpty(folder, found);
    putInPlace(made, target, found);
    return found;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

const besideOf = (from: string): string[] => readdirSync(from).filter(name => BESIDE.test(name));

const listed = (names: readonly string[]): string => names.map(oneLine).join(', ');

function notEmpty(folder: string, { changed }: FolderState): InputError {
  const lost =
    changed.length === 0
      ? ''
      : ` It would overwrite files that this command did not write, or that were changed since: ${listed(changed)}.`;
  return new InputError(
    `${folder} is not empty. Nothing was written. Give --out with another folder, or --force to overwrite files of the same names.${lost}`,
  );
}

/** What a person must look at: what stays in the folder, and what must not be published. */
function remarksOf({ kept, left }: FolderState, { files }: StackInHcl, from: string): string[] {
  const secret = [...mayHoldSecrets(files), ...besideOf(from).filter(name => name.includes('.tfvars'))];
  return [
    ...(kept.length > 0
      ? [`what is there stays, though the stack has another one: ${listed(kept)}. Compare them.`]
      : []),
    ...(left.length > 0
      ? [`of an earlier run, and no part of this one: ${listed(left)}. Terraform may read it: remove it.`]
      : []),
    ...(secret.length > 0
      ? [`may hold passwords or keys, as in the stack: ${listed(secret)}. Look before you commit them.`]
      : []),
  ];
}

import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { InputError } from '../errors';
import { onFile } from '../input/file-text';
import { oneLine } from '../report/visible';
import { foreignFiles, hashOf, kindAt, makeFolder, recorded } from '../module/written-files';

/** Not the record of a module: the command that writes a module alone would take these files for its own. */
const RECORD = '.pve-reconciler.from.json';

/** What a person put beside a stack, and Terraform reads there. */
export const BESIDE =
  /^(?:\.terraform\.lock\.hcl|terraform\.tfvars(?:\.json)?|.*\.auto\.tfvars(?:\.json)?|assets)$/;

/** What becomes of a folder in which something is. All names are from that folder. */
export interface FolderState {
  /** What a person has beside the HCL, and has in another way than the stack: it stays. */
  kept: string[];
  /** What this command did not write, or somebody changed since: it is overwritten. */
  changed: string[];
  /** What an earlier run wrote, and this one does not: it stays. */
  left: string[];
}

/** Looks at each place before anything is put there. Throws where one is taken by a link or a folder. */
export function folderState(made: string, target: string): FolderState {
  const names = filesIn(made);
  for (const name of [...names, RECORD]) refuseBlocked(target, name);
  const files = new Map(names.map(name => [name, readFileSync(path.join(made, name))]));
  const foreign = foreignFiles(target, files, RECORD);
  return {
    kept: foreign.filter(isBeside),
    changed: foreign.filter(name => !isBeside(name)),
    left: Object.keys(recorded(target, RECORD)).filter(
      name => !names.includes(name) && kindAt(path.join(target, name)) === 'file',
    ),
  };
}

/** Puts a folder that is made where it belongs: as a whole where nothing is, else file by file. */
export function putInPlace(made: string, target: string, { kept, left }: FolderState): void {
  const names = filesIn(made).filter(name => !kept.includes(name));
  writeRecord(made, names, left.length === 0 ? {} : pick(recorded(target, RECORD), left));
  if (isVacant(target)) {
    if (existsSync(target)) chmodSync(made, statSync(target).mode & 0o777);
    renameSync(made, target);
    return;
  }
  // the record last: after a crash in between the same command mends what it left
  onFile(
    () => [...names, RECORD].forEach(name => moveFile(path.join(made, name), path.join(target, name))),
    code =>
      `${target} cannot be written (${code}). Some of these files may be new there, and others not: ${names.map(oneLine).join(', ')}. Let this user write into the folder and run this again with --force; that is safe.`,
  );
}

/** True where a folder is not, or is empty. */
export function isVacant(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

const isBeside = (name: string): boolean => BESIDE.test(name.split('/')[0] ?? '');

/** By its name, so that no link is followed. Nobody can read it who could not read the file that was there. */
function moveFile(file: string, place: string): void {
  makeFolder(path.dirname(place));
  if (existsSync(place)) chmodSync(file, statSync(file).mode & (statSync(place).mode | 0o600));
  renameSync(file, place);
}

function refuseBlocked(target: string, name: string): void {
  const steps = name.split('/');
  steps.forEach((_, at) => {
    const place = path.join(target, ...steps.slice(0, at + 1));
    const kind = kindAt(place);
    const isLast = at === steps.length - 1;
    if (kind === 'nothing' || kind === (isLast ? 'file' : 'folder')) return;
    if (isLast && isBeside(name)) return;
    const is = kind === 'other' ? 'a link, or no file' : `a ${kind}`;
    throw new InputError(
      `${oneLine(place)} is ${is}: ${isLast ? 'a file' : 'a folder'} of this name is to be written. Nothing was written. Move it away, and run this again; that is safe.`,
    );
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();
}

function writeRecord(made: string, names: readonly string[], left: Readonly<Record<string, string>>): void {
  const hashes = names.map(name => [name, hashOf(readFileSync(path.join(made, name)))]);
  const record = { ...left, ...Object.fromEntries(hashes) };
  writeFileSync(path.join(made, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}

function pick(all: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, all[name] ?? '']));
}

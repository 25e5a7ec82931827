import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '../../adopt/program';
import { FOLDER_FORMS, FORMS } from '../../adopt/text/forms';
import { InputError } from '../../errors';
import { onFile } from '../../input/file-text';
import { unknownWord } from '../../input/known-word';
import type { Options, Surroundings } from '../../input/surroundings';
import {
  foldersAmong,
  foreignFiles,
  leftFiles,
  makeFolder,
  writeFiles,
  writeWhole,
} from '../../module/written-files';

/** Where a program goes. */
export interface Target {
  /** The file, or the folder with files, that the program would overwrite. */
  overwrites?: string;
  /** Whether that file has this very program in it. */
  holds: (program: Program) => boolean;
  /** A folder gets all that its owner adopted, also before. */
  isFolder: boolean;
  /** Prints the program, or writes it where that was named. */
  print: (program: Program) => void;
}

/** Reads where the program goes, and in which form. `faults`: takes what is wrong with that. */
export function targetOf(options: Options, around: Surroundings, faults: string[]): Target {
  const { form = options.json ? 'json' : 'typescript', out, force = false } = options;
  const isFolder = out !== undefined && namesFolder(out);
  const write = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined;
  const files = Object.hasOwn(FOLDER_FORMS, form) ? FOLDER_FORMS[form] : undefined;
  if (write === undefined) faults.push(unknownWord('--form', form, Object.keys(FORMS)));
  else if (isFolder && files === undefined)
    faults.push(
      `--out ${out} is a folder, and ${form} is one document: name a file, or give --form ${Object.keys(FOLDER_FORMS).join(' or ')}.`,
    );
  const isThere = out !== undefined && (isFolder ? hasFiles(out) : existsSync(out));
  if (isThere && !isFolder && !force)
    faults.push(`--out ${out} exists. Name another file, or give --force to overwrite it.`);
  return {
    isFolder,
    ...(isThere && { overwrites: out }),
    holds: program => isThere && !isFolder && readFileSync(out, 'utf8') === write?.(program),
    print: program => {
      if (out === undefined) return printed(write?.(program) ?? '', around);
      if (isFolder) return intoFolder(out, files?.(program) ?? new Map(), { force, around });
      onFile(
        () => writeWhole(out, write?.(program) ?? ''),
        code => `${out} cannot be written (${code}). No guest was changed. Name another file.`,
      );
      around.reporter.say('info', `The program is in ${out}. To write it again, add --force.`);
    },
  };
}

/** A name that ends as one of a folder, or is that of one. */
function namesFolder(out: string): boolean {
  return /[\\/]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
}

function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** A folder knows what was written into it: what somebody changed since is kept. */
function intoFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { force, around }: { force: boolean; around: Surroundings },
): void {
  const left = onFile(
    () => {
      makeFolder(folder);
      const blocked = [...foldersAmong(folder, files), ...(force ? [] : foreignFiles(folder, files))];
      if (blocked.length > 0)
        throw new InputError(
          `${folder} has files that this command did not write, or that were changed since: ${blocked.join(', ')}. No guest was changed, and no file was written. Name another folder, or give --force to overwrite them. Running again is safe.`,
        );
      const rest = leftFiles(folder, files);
      writeFiles(folder, files);
      return rest;
    },
    code => `${folder} cannot be written (${code}). No guest was changed. Name another folder.`,
  );
  const names = [...files.keys()];
  around.reporter.say(
    'info',
    `The program is in ${path.join(folder, names[0] ?? '')} and ${names.length - 1} files beside it.`,
  );
  if (left.length > 0)
    around.reporter.say(
      'warn',
      `${folder}: ${left.join(', ')} of an earlier run is no part of it any more. Remove it.`,
    );
}

// a guest that is marked is adopted no more: nobody could print its program again
function printed(text: string, { out, isLost }: Surroundings): void {
  out(text);
  if (isLost?.() === true)
    throw new InputError('The program cannot be written. No guest was changed. Name a file with --out.');
}

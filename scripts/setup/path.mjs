// @ts-check
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Where a program is, as the shell would find it. @param {string} name */
export function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder));
  return folders.map(folder => path.join(folder, name)).find(isProgram);
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

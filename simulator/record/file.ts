import { lstatSync, statSync } from 'node:fs';
import { UsageError } from '../cli/usage-error';
import { isThere, tryToWrite, writeNew, writeWhole } from '../cli/write-whole';
import { codeOf } from '../cli/code-of';

/** Fails when the file may not be written: it is there and nobody said `--force`, or its folder takes none. */
export function checkOut(path: string, force: boolean): void {
  if (lstatSync(path, { throwIfNoEntry: false }) && !force) {
    throw new UsageError(`${path} is there already; name another file, or say --force to replace it`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${path} is a folder; name a file`);
  }
  try {
    tryToWrite(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}`);
  }
}

const MOST_NAMES = 1000;

/**
 * Writes all of a file or nothing, readable by its owner only, and gives its name. Without `force` a file that came
 * meanwhile stays, and what was recorded goes beside it: nobody can record it again.
 */
export function writeOut(path: string, content: string, force: boolean): string {
  try {
    if (!force) return writeBeside(path, content);
    writeWhole(path, content);
    return path;
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}; running again is safe`);
  }
}

function writeBeside(path: string, content: string): string {
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? path : `${path}.${number}`;
    try {
      writeNew(name, content);
      return name;
    } catch (error) {
      if (!isThere(error) || number >= MOST_NAMES) throw error;
    }
  }
}

/** What is said of a file that has another name than was asked for. */
export const besideText = (asked: string, written: string): string[] =>
  asked === written ? [] : [`${asked} came meanwhile and was left alone, so ${written} was written.`];

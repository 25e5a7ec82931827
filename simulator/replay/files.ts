import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../cli/code-of';
import { understand } from '../cli/read-files';
import { UsageError } from '../cli/usage-error';
import type { Scenario } from './step';
import { isScenario, readScenario } from './step';

/** The scenarios of these files, and of all files of these folders that are scenarios, in the order of their names. */
export function readScenarios(paths: readonly string[]): Scenario[] {
  const scenarios = paths.flatMap(path =>
    isFolder(path) ? inFolder(path) : [understand(path, readScenario)],
  );
  if (scenarios.length === 0) throw new UsageError(`there is no scenario in ${paths.join(', ')}`);
  return scenarios;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${codeOf(error)}`);
  }
}

function inFolder(folder: string): Scenario[] {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => join(folder, name));
  // a folder holds world files too
  return files.filter(file => isScenario(jsonOf(file))).map(file => understand(file, readScenario));
}

const jsonOf = (file: string): unknown => understand(file, json => json);

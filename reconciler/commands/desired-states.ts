import type { DesiredState } from '../../spec';
import { formatProblems, parseDesiredState } from '../../spec';
import { InputError } from '../errors';
import { readJson } from '../read-json';
import { fileText } from './file-text';
import { isFolder, statesOfStack } from './stack-folder';
import type { Options, Surroundings } from './surroundings';

/** The desired states that `--spec` names, `-` for stdin. Throws one error with all that is wrong with them. */
export async function desiredStates(
  { spec: files = [] }: Options,
  around: Surroundings,
): Promise<DesiredState[]> {
  if (files.length === 0)
    throw new InputError('no desired state is given: name its file with --spec FILE, or --spec - for stdin.');
  const faults: string[] = [];
  const states: DesiredState[] = [];
  for (const file of files) {
    for (const { name, json } of await documentsOf(file, around)) {
      const parsed = parseDesiredState(json);
      if (parsed.ok) states.push(parsed.value);
      else faults.push(`${name}:\n${formatProblems(parsed.problems)}`);
    }
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return states;
}

async function documentsOf(file: string, around: Surroundings): Promise<{ name: string; json: unknown }[]> {
  if (file !== '-' && isFolder(file)) return statesOfStack(file, around);
  const name = nameOf(file);
  return [{ name, json: readJson(file === '-' ? await around.readInput() : fileText(file), name) }];
}

function nameOf(file: string): string {
  return file === '-' ? 'the desired state on stdin' : file;
}

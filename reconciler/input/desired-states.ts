import type { DesiredState } from '../../spec';
import { formatProblems, parseDesiredState } from '../../spec';
import { InputError } from '../errors';
import { notYetIn } from './not-yet-document';
import { readJson } from './read-json';
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
  const again = new Given();
  const states: DesiredState[] = [];
  for (const file of files) {
    for (const { name, json } of await documentsOf(file, around)) {
      const parsed = parseDesiredState(json);
      const wrong = parsed.ok
        ? [...notYetIn(parsed.value), ...again.check(name, parsed.value)]
        : [formatProblems(parsed.problems)];
      if (parsed.ok) states.push(parsed.value);
      if (wrong.length > 0) faults.push(`${name}:\n${wrong.join('\n')}`);
    }
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return states;
}

/** The documents so far. What one owner wants of one cluster stands in one of them, or they contradict each other. */
class Given {
  private readonly names = new Map<string, string>();

  check(name: string, { owner, cluster }: DesiredState): string[] {
    const key = JSON.stringify([owner, cluster.name]);
    const first = this.names.get(key);
    this.names.set(key, first ?? name);
    if (first === undefined) return [];
    return [
      `what ${owner} wants of cluster ${cluster.name} is given twice, also in ${first}. Give one document, with all its machines.`,
    ];
  }
}

async function documentsOf(file: string, around: Surroundings): Promise<{ name: string; json: unknown }[]> {
  if (file !== '-' && isFolder(file)) return statesOfStack(file, around);
  const name = nameOf(file);
  return [{ name, json: readJson(file === '-' ? await around.readInput() : fileText(file), name) }];
}

function nameOf(file: string): string {
  return file === '-' ? 'the desired state on stdin' : file;
}

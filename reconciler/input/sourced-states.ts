import path from 'node:path';
import { readVariable, type Environment } from '../config/variables';
import { InputError } from '../errors';
import type { Source, SourcedState } from '../run/wanted';
import { desiredStates, type Desired } from './desired-states';
import type { Options, Surroundings } from './surroundings';

/** The desired states of a run that may write them or remove what they want no more, with the source that they are of. */
export async function sourcedStates(
  options: Options,
  around: Surroundings,
): Promise<Desired & { states: SourcedState[]; source: Source | undefined }> {
  const source = sourceOf(options, around.environment);
  const desired = await desiredStates(options, around);
  const states = desired.states.map(state => (source === undefined ? state : { ...state, source }));
  return { ...desired, states, source };
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@+/-]{0,61}[A-Za-z0-9])?$/;

/**
 * Where desired states come from: the name that a person gave; else the last two names of each place, which tell most
 * teams apart and stay when a checkout is moved. Undefined: stdin has none.
 */
function sourceOf(
  { source, spec = [], manifests = [] }: Pick<Options, 'source' | 'spec' | 'manifests'>,
  environment: Environment,
): Source | undefined {
  const faults: string[] = [];
  const given = source ?? readVariable('PVE_SOURCE', environment, faults)?.trim();
  const named = source === undefined ? 'PVE_SOURCE' : '--source';
  if (given !== undefined && !NAME.test(given))
    faults.push(
      `${named}: ${JSON.stringify(given)} is no name of a source: allowed are 1 to 63 letters, digits, blanks and . _ : @ + / -, such as team-a/machines.`,
    );
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  if (given !== undefined) return { name: given, isNamed: true };
  const places = [...spec, ...manifests];
  if (places.length === 0 || places.includes('-')) return undefined;
  return { name: placeName([...new Set(places.map(lastNames))].sort().join('+')), isNamed: false };
}

function lastNames(place: string): string {
  const names = path.resolve(place).split(path.sep);
  return names
    .filter(name => name !== '')
    .slice(-2)
    .join('/');
}

/** As a name of a source is: what a mark cannot hold well is replaced, and what is long is cut at its beginning. */
function placeName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9 ._:@+/-]/g, '_');
  const cut = plain.slice(-63).replace(/^[^A-Za-z0-9]+/, '');
  const name = cut.replace(/[^A-Za-z0-9]+$/, '');
  return name === '' ? 'unnamed' : name;
}

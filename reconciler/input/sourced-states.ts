import { createHash } from 'node:crypto';
import path from 'node:path';
import { readVariable, type Environment } from '../config/cluster-variables';
import { InputError } from '../errors';
import { isPostgres, storedPlace } from '../postgres/address';
import type { Source, SourcedState } from '../run/wanted';
import { desiredStates, type Desired } from './desired-states';
import type { Options, Surroundings } from './surroundings';

/** The desired states of a run that may write them or remove what they want no more, with the source that they are of. */
export async function sourcedStates(
  options: Options,
  around: Surroundings,
): Promise<Desired & { states: SourcedState[]; source: Source | undefined }> {
  return ofSource(sourceOf(options, around.environment), await desiredStates(options, around));
}

/**
 * The desired states of a verb by hand. A mark gets the source only where a person named it, as a place wrote nothing; what
 * the place wrote is the verb's own.
 */
export async function statesByHand(
  { source, ...options }: Options,
  around: Surroundings,
): Promise<Desired & { states: SourcedState[]; source: Source | undefined }> {
  const given = sourceOf(source === undefined ? {} : { source }, around.environment);
  const own = given ?? sourceOf(options, around.environment);
  return ofSource(given, await desiredStates(options, around), own);
}

/** Of stdin, where no name was given: what any source wrote is another's. */
const NOBODY: Source = { names: [], isNamed: false };

function ofSource(source: Source | undefined, desired: Desired, own = source) {
  const states = desired.states.map((state): SourcedState => {
    const { cutFile } = desired;
    const read = { ...state, cutFile, ...(desired.ofStacks?.has(state) && { isOfStack: true as const }) };
    if (source === undefined) return { ...read, source: own ?? NOBODY };
    const sourceNames = namesOf(source, desired.places.get(state) ?? new Map());
    return { ...read, source, sourceNames };
  });
  return { ...desired, states, source };
}

/** A given name is that of all machines; else each has the one of its own place, whatever else the run was given. */
function namesOf({ names, isNamed }: Source, places: ReadonlyMap<string, string>): Map<string, string> {
  const [given = ''] = names;
  const said = [...places].filter(([, place]) => isNamed || place !== '-');
  return new Map(said.map(([id, place]) => [id, isNamed ? given : placeName(place)]));
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@+/-]{0,61}[A-Za-z0-9])?$/;

/**
 * Where desired states come from: the name that a person gave; else for each place its last two names, which tell most
 * teams apart and stay when a checkout is moved. Undefined: stdin has none.
 */
export function sourceOf(
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
  if (given !== undefined) return { names: [given], isNamed: true };
  const places = [...spec, ...manifests].filter(place => place !== '-');
  if (places.length === 0) return undefined;
  return { names: [...new Set(places.map(placeName))].sort(), isNamed: false };
}

function lastNames(place: string): string {
  if (isPostgres(place)) return storedPlace(place).source;
  const names = path.resolve(place).split(path.sep);
  return names
    .filter(name => name !== '')
    .slice(-2)
    .join('/');
}

/** The most that a name of a source may have, and what a sum of the whole takes of it. */
const LONGEST = 63;
const SUM = 10;

/**
 * The name of a place as a source. Where a mark cannot hold it well it is replaced and cut, and a sum of the whole follows:
 * two places must not become one source, whose machines the other one would destroy.
 */
function placeName(place: string): string {
  // macOS gives letters and their accents apart
  const whole = lastNames(place).normalize('NFC');
  if (NAME.test(whole)) return whole;
  const plain = whole.replaceAll(/[^A-Za-z0-9 ._:@+/-]/g, '_').slice(SUM + 1 - LONGEST);
  const sum = createHash('sha256').update(whole).digest('hex').slice(0, SUM);
  return `${plain.replace(/^[^A-Za-z0-9]+/, '')}@${sum}`.replace(/^@/, '');
}

import { formatProblems, isRecord, parseDesiredState, type DesiredState, type Path } from '../../spec';
import { MOST_TEXT_BYTES } from '../config/named-file';
import { InputError } from '../errors';
import type { Document, Subjects } from '../manifests';
import { mayBeCut } from './cut-text';
import { equalKeys } from './equal-keys';
import { statesOfManifests } from './manifest-states';
import { notYetIn } from './not-yet-document';
import { otherFile, otherJson } from './other-files';
import { readJson } from './read-json';
import { readYaml } from './read-yaml';
import { isFolder } from './file-text';
import { placeText, placeTitle, saysKind } from './place-text';
import { statesOfStack } from './stack-folder';
import { terraformWords } from './terraform-words';
import type { Options, Surroundings } from './surroundings';

/** What a run is to work on. */
export interface Desired {
  states: DesiredState[];
  /** The surroundings, with what manifests say in place of the environment. */
  around: Surroundings;
  /** The manifests of those that come from manifests, by owner. */
  subjects?: ReadonlyMap<string, Subjects>;
  /** The file or folder that each machine was read from, as it was given, by id. */
  places: Places;
  /** A file of YAML, or stdin, that may be cut short: what it does not name may only be missing in it. */
  cutFile?: string | undefined;
  /** Those that were read in the folder of a synthesized stack. */
  ofStacks?: ReadonlySet<DesiredState>;
}

/** Where the machines of each desired state were read, by id. */
type Places = ReadonlyMap<DesiredState, ReadonlyMap<string, string>>;

/**
 * The desired states that `--spec` and `--manifests` name, `-` for stdin. Throws one error with all that is wrong with
 * those of `--spec`, then one with all that is wrong with the manifests.
 */
export async function desiredStates(options: Options, around: Surroundings): Promise<Desired> {
  const { spec = [], manifests = [], owner, secrets } = options;
  if (spec.length === 0 && manifests.length === 0) {
    throw new InputError(
      'no desired state is given: name its file with --spec FILE, or --spec - for stdin, or manifests with --manifests FILE.',
    );
  }
  const flags = [owner === undefined ? [] : '--owner', secrets === undefined ? [] : '--secrets'].flat();
  if (manifests.length === 0 && flags.length > 0)
    throw new InputError(
      `${flags.join(' and ')}: only --manifests takes that. Remove it, or give manifests in place of --spec.`,
    );
  const { read, cutFile } = await statesOf(spec, around);
  const states = read.map(({ state }) => state);
  const places = new Map(
    read.map(({ state, file }) => [state, new Map(state.machines.map(({ id }) => [id, file]))]),
  );
  const ofStacks = new Set(read.filter(({ isOfStack }) => isOfStack).map(({ state }) => state));
  if (manifests.length === 0) return { states, around, places, cutFile, ofStacks };
  const { environment, subjects, ...more } = await statesOfManifests(options, around);
  return {
    ...{ states: [...states, ...more.states], around: { ...around, environment }, subjects },
    places: new Map([...places, ...more.places]),
    cutFile: cutFile ?? more.cutFile,
    ofStacks,
  };
}

async function statesOf(
  files: readonly string[],
  around: Surroundings,
): Promise<{ read: ReadState[]; cutFile: string | undefined }> {
  const faults: string[] = [];
  let cutFile: string | undefined;
  const names = new Map<string, string>();
  const states: ReadState[] = [];
  for (const file of files) {
    for (const { name, json, placeOf, isCut, isOfStack } of await documentsOf(file, around, faults)) {
      if (isCut) cutFile ??= name;
      const manifest = kindOfManifest(json);
      if (manifest !== undefined) {
        faults.push(`${name} is a manifest (kind: ${manifest}): give it by --manifests in place of --spec.`);
        continue;
      }
      const parsed = parseDesiredState(json);
      const placed = (path: Path): string => (placeOf === undefined ? name : placeOf(path));
      const wrong = parsed.ok
        ? [
            ...[...notYetIn(parsed.value), ...terraformWords(parsed.value, file)].map(
              ({ path, says }) => `${placed(path)}: ${says}`,
            ),
            ...givenTwice(names, name, parsed.value).map(says => `${name}: ${says}`),
          ]
        : parsed.problems.map(problem => `${placed(problem.at)}: ${formatProblems([problem])}`);
      if (parsed.ok) states.push({ state: parsed.value, file, isOfStack });
      faults.push(...wrong);
    }
  }
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return { read: states, cutFile };
}

interface ReadState {
  state: DesiredState;
  file: string;
  isOfStack: boolean | undefined;
}

/** What a manifest says that it is; undefined for any other document. */
function kindOfManifest(json: unknown): string | undefined {
  return isRecord(json) && 'apiVersion' in json && 'kind' in json ? String(json['kind']) : undefined;
}

/** What one owner wants of one cluster stands in one document, or they contradict each other. `names`: the documents so far. */
function givenTwice(names: Map<string, string>, name: string, { owner, cluster }: DesiredState): string[] {
  const key = JSON.stringify([owner, cluster.name]);
  const first = names.get(key);
  names.set(key, first ?? name);
  if (first === undefined) return [];
  return [
    `what ${owner} wants of cluster ${cluster.name} is given twice, also in ${first}. Give one document, with all its machines.`,
  ];
}

/** A document of YAML knows where its values stand. */
type Read = Pick<Document, 'name' | 'json'> & Partial<Document> & { isCut?: boolean; isOfStack?: boolean };

/** Those of a file that can be understood. What is wrong with others does not hide what is wrong with them. */
async function documentsOf(file: string, around: Surroundings, faults: string[]): Promise<Read[]> {
  try {
    if (file !== '-' && saysKind(file, around) && (await isFolder(file)))
      return (await statesOfStack(file, around)).map(document => ({ ...document, isOfStack: true }));
    const name = file === '-' ? 'the desired state on stdin' : placeTitle(file);
    const text = await placeText(file, around);
    if (text.length > MOST_TEXT_BYTES)
      throw new InputError(
        `${name} holds ${text.length} characters, and no more than ${MOST_TEXT_BYTES} are read. Divide it into several files.`,
      );
    if (text.trim() === '') throw nothingIn(file, name);
    const other = file !== '-' && saysKind(file, around) ? otherFile(file) : undefined;
    if (other !== undefined) throw new InputError(other);
    if (!isYaml(saysKind(file, around) ? file : '', text)) {
      const json = readJson(text, name);
      const otherKind = otherJson(name, json);
      if (otherKind !== undefined) throw new InputError(otherKind);
      faults.push(
        ...equalKeys(text).map(
          place => `${name}:${place}: this key stands in its object twice. Keep one of them.`,
        ),
      );
      return [{ name, json }];
    }
    const { documents, faults: found } = await readYaml(text, name);
    faults.push(...found);
    if (documents.length === 0 && found.length === 0) throw nothingIn(file, name);
    const isCut = (file === '-' || saysKind(file, around)) && mayBeCut(text);
    return documents.map(document => ({ ...document, isCut }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    faults.push(error.message);
    return [];
  }
}

function nothingIn(file: string, name: string): InputError {
  const remedy =
    file === '-'
      ? 'Give a desired state there (--spec - < desired.json)'
      : 'Write a desired state into it (version, owner, cluster, machines)';
  return new InputError(`${name} is empty. ${remedy}, or name another file with --spec FILE.`);
}

/** By the name of the file; one that says nothing, such as stdin, by its first character. */
function isYaml(file: string, text: string): boolean {
  const [, kind] = /\.(ya?ml|json)$/i.exec(file) ?? [];
  return kind === undefined ? /^\s*[^\s{[]/.test(text) : kind.toLowerCase() !== 'json';
}

import type { ClusterSpec, DesiredState } from '../../spec';
import { ownPrefix, withoutClusters, PLAIN_PREFIX, prefixesOf } from '../config/prefix';
import { hasVariables, isSet, type Environment } from '../config/cluster-variables';
import { InputError } from '../errors';
import { saidBy, type Apart, type Document, type ReadManifests, type Subjects } from '../manifests';
import { shellWord } from '../report/shell-word';
import { isFolder } from './file-text';
import { documentsAt, mountedSecret } from './manifest-files';
import { joined } from './read-yaml';
import { notYetIn } from './not-yet-document';
import { refuseOwnerOfTerraform } from './terraform-words';
import type { Options, Surroundings } from './surroundings';

/** What manifests want, and the environment with what they say in its place. */
export interface ManifestStates {
  states: DesiredState[];
  environment: Environment;
  /** The manifests of each, by owner. */
  subjects: ReadonlyMap<string, Subjects>;
  /** The place that each machine was read from, as it was given, by id. */
  places: ReadonlyMap<DesiredState, ReadonlyMap<string, string>>;
  /** The file that may be cut short. */
  cutFile: string | undefined;
}

/** Reads the manifests that `--manifests` names. Throws one error with all that is wrong with them. */
export async function statesOfManifests(
  { manifests = [], owner = 'manifests', secrets }: Options,
  around: Surroundings,
): Promise<ManifestStates> {
  const { environment, reporter } = around;
  await refuseUnfit(owner, secrets);
  refuseOwnerOfTerraform(owner, '--owner');
  const { read, placeOf } = await readAll(manifests, around);
  const { documents, faults: inText, isBroken, cutFile } = joined(read);
  // what refers to one that cannot be understood would be reported as wrong
  if (isBroken) throw new InputError(inText.join('\n'));
  if (documents.length === 0)
    throw new InputError(
      `${manifests.join(', ')}: there is no document in it. Give manifests with apiVersion and kind.`,
    );
  const {
    faults: wrong,
    said,
    ...whole
  } = await statesOfDocuments(documents, {
    owner,
    environment,
    ...(secrets !== undefined && {
      secretOf: (namespace: string, name: string) => mountedSecret(secrets, namespace, name),
    }),
  });
  const faults = [...inText, ...wrong];
  if (faults.length > 0) throw new InputError([...new Set(faults)].join('\n'));
  said.notes.forEach(note => reporter.say('info', note));
  const subjects = new Map(said.wanted.map(wanted => [wanted.state.owner, wanted.subjects]));
  return { ...whole, subjects, cutFile, places: placesOf(said, placeOf) };
}

/** What decides beside the documents. */
export interface DocumentsGiven {
  owner: string;
  environment: Environment;
  /** Reads a Secret that is not among the documents; undefined: there is none. Absent: nowhere. */
  secretOf?: (namespace: string, name: string) => Promise<ReadonlyMap<string, string> | undefined>;
  /** What was read of it before and still counts: then the documents need not be read twice. */
  secretKept?: (namespace: string, name: string) => ReadonlyMap<string, string> | undefined;
  apart?: Apart;
}

/** What documents want, and the environment with what they say in its place. With faults, the rest is not to be used. */
export interface DocumentStates {
  states: DesiredState[];
  environment: Environment;
  said: ReadManifests;
  /** Each begins with the place that it is about. */
  faults: string[];
}

/** What documents want, wherever they come from. */
export async function statesOfDocuments(
  documents: readonly Document[],
  given: DocumentsGiven,
): Promise<DocumentStates> {
  const { owner, environment: all, apart } = given;
  const environment = apart === undefined ? all : withoutClusters(all);
  const said = await withSecrets(given, mounted =>
    saidBy(documents, {
      owner,
      defaultCluster: environment['PROXMOX_DEFAULT_CLUSTER'] || undefined,
      isKnown: cluster => apart === undefined && hasVariables(ownPrefix({ name: cluster }), environment),
      hasCredentials: cluster => hasCredentials(cluster, environment),
      mounted,
      ...(apart !== undefined && { apart }),
    }),
  );
  const notYet = said.wanted.flatMap(({ state, placeOf }) =>
    notYetIn(state).map(({ path, says }) => `${placeOf(path)}: ${says}`),
  );
  const states = said.wanted.map(({ state }) => state);
  const faults = [...said.problems, ...notYet];
  const clusters = states.map(({ cluster }) => cluster);
  const whole = {
    ...environment,
    ...Object.fromEntries(said.machineVariables),
    ...fromManifests(said, clusters, environment, faults),
  };
  return { states, environment: whole, said, faults: [...new Set(faults)] };
}

async function refuseUnfit(owner: string, secrets: string | undefined): Promise<void> {
  // an empty variable in a script: the machines would be another owner's
  if (owner === '')
    throw new InputError('--owner is empty: give the first part of the owner, or leave it out.');
  if (secrets !== undefined && !(await isFolder(secrets)))
    throw new InputError(
      `--secrets ${shellWord(secrets)} is no folder that can be read. Name the one where Secrets are mounted.`,
    );
}

/** All documents, and the place that each was read from. */
async function readAll(manifests: readonly string[], around: Surroundings) {
  const read = [];
  const placeOf = new Map<Document, string>();
  for (const place of manifests) {
    const text = await documentsAt(place, around);
    for (const document of text.documents) placeOf.set(document, place);
    read.push(text);
  }
  return { read, placeOf };
}

function placesOf(
  { wanted }: ReadManifests,
  placeOf: ReadonlyMap<Document, string>,
): ManifestStates['places'] {
  const ofEach = (documents: ReadonlyMap<string, Document>) =>
    [...documents].map(([id, document]) => [id, placeOf.get(document) ?? ''] as const);
  return new Map(wanted.map(({ state, documents }) => [state, new Map(ofEach(documents))]));
}

type Mounted = Parameters<typeof saidBy>[1]['mounted'];

/** What is said, by Secrets that stand elsewhere: those that it asks for are read, and it is said again. */
async function withSecrets(
  { secretOf, secretKept }: DocumentsGiven,
  say: (mounted: Mounted) => ReadManifests,
): Promise<ReadManifests> {
  const read = new Map<string, ReadonlyMap<string, string> | undefined>();
  for (;;) {
    const asked = new Map<string, [namespace: string, name: string]>();
    const said = say((namespace, name) => {
      const kept = secretKept?.(namespace, name);
      if (kept !== undefined) return kept;
      const key = JSON.stringify([namespace, name]);
      if (secretOf !== undefined && !read.has(key)) asked.set(key, [namespace, name]);
      return read.get(key);
    });
    if (secretOf === undefined || asked.size === 0) return said;
    for (const [key, [namespace, name]] of asked) read.set(key, await secretOf(namespace, name));
  }
}

function hasCredentials(cluster: string, environment: Environment): boolean {
  return [ownPrefix({ name: cluster }), PLAIN_PREFIX].some(prefix =>
    ['TOKEN_SECRET', 'PASSWORD'].some(name => isSet(environment, prefix + name)),
  );
}

/** What manifests say in place of variables, by the names that those would have. One that is set as well is refused. */
function fromManifests(
  { variables }: ReadManifests,
  clusters: readonly ClusterSpec[],
  environment: Environment,
  faults: string[],
): Record<string, string> {
  // what is wrong with prefixes is reported when they are read
  const prefixes = prefixesOf(clusters, environment, []);
  const added: Record<string, string> = {};
  clusters.forEach(({ name: cluster }, index) => {
    for (const [variable, { value, place }] of variables.get(cluster) ?? []) {
      const name = `${prefixes[index] ?? PLAIN_PREFIX}${variable}`;
      if (isSet(environment, name) && environment[name] !== value)
        faults.push(
          `${place}: ${name} is set in the environment too, to something else: unset it, or remove it here, or from the Secret that is named here.`,
        );
      added[name] = value;
    }
  });
  return added;
}

/**
 * Manifests of Kubernetes' shape as desired states.
 *
 * Documents in, desired states out: nothing is read here but what is given, and nothing is sent. A field either becomes
 * a part of a desired state, or is refused with what replaces it. Each problem names its file, line, column and path.
 */
import type { DesiredState, Path } from '../../spec';
import { Catalog } from './read/catalog';
import { clustersOf } from './clusters';
import type { Document } from './document';
import type { ManifestSurroundings } from './surroundings';
import { groupsOf } from './grouping';
import { saidAt, stateOf, subjectsOf } from './groups';
import { MachineSecrets } from './secrets/machine-secrets';
import { placeIn } from './read/manifest';
import { idlePolicies, partsOf } from './parts-of';
import { Problems } from './read/problems';
import { readManifests } from './read/manifest-head';
import { Secrets } from './secrets/secrets';
import type { Subjects } from './status';
import type { Variables } from './secrets/give-variable';

export type { Document } from './document';
export { mayUse, type Apart, type ManifestSurroundings } from './surroundings';
export { manifestSchema } from './manifest-schema';
export { statusDocuments, type Subjects } from './status';

/** What one namespace wants of one cluster, and where each part of it was said. */
interface WantedOfOwner {
  state: DesiredState;
  subjects: Subjects;
  placeOf: (path: Path) => string;
  /** What each machine was said in, by id. */
  documents: ReadonlyMap<string, Document>;
}

/** What manifests say. With problems, the rest is not to be used. */
export interface ReadManifests {
  problems: string[];
  /** What is accepted and does nothing. */
  notes: string[];
  wanted: WantedOfOwner[];
  /** What they say in place of the environment, by cluster. */
  variables: ReadonlyMap<string, Variables>;
  /** Variables that machines name, with the values of their Secrets. */
  machineVariables: ReadonlyMap<string, string>;
}

/** Reads manifests. All that is wrong with them is reported at once. */
export function saidBy(documents: readonly Document[], given: ManifestSurroundings): ReadManifests {
  const problems = new Problems();
  const notes: string[] = [];
  const reading = { problems, notes };
  const catalog = new Catalog(
    problems,
    documents.flatMap(document => readManifests(document, problems)),
  );
  const secrets = new Secrets(catalog, given, problems);
  const clusters = clustersOf(catalog, secrets, given, reading);
  const machineSecrets = new MachineSecrets(secrets);
  const context = { ...reading, catalog, given, parts: partsOf(catalog, reading), secrets: machineSecrets };
  const groups = groupsOf(catalog, clusters, context);
  const wanted = groups.flatMap((group, index) => {
    // a cluster is told of once, whatever the number of namespaces
    const isFirst = !groups.slice(0, index).some(({ clusterName }) => clusterName === group.clusterName);
    const state = stateOf(group, problems);
    const placeOf = (path: Path): string => {
      const said = saidAt(group, path);
      return said === undefined ? `cluster ${group.clusterName}` : placeIn(said.part.manifest, said.path);
    };
    if (state === undefined) return [];
    const documents = new Map(
      group.machines.map(({ json, manifest }) => [String(json['id']), manifest.document]),
    );
    return [{ state, subjects: subjectsOf(group, isFirst), placeOf, documents }];
  });
  const variables = new Map([...clusters].map(([name, cluster]) => [name, cluster.variables]));
  return {
    problems: problems.all,
    notes: [...new Set([...notes, ...idlePolicies(catalog)])],
    wanted,
    variables,
    machineVariables: machineSecrets.variables,
  };
}

import { closest, formatPath, isRecord, type Path } from '../../../spec';
import type { Document } from '../document';
import { KINDS, REPLACED, type ManifestKind } from './kinds';
import { DEFAULT_NAMESPACE, type Manifest } from './manifest';
import type { Problems } from './problems';
import { unknownField } from './rows';

/** A manifest and its kind. */
export interface ManifestOfKind {
  manifest: Manifest;
  kind: ManifestKind;
}

type Json = Readonly<Record<string, unknown>>;

/** The metadata that a manifest may have. */
export const METADATA = ['name', 'namespace', 'labels', 'annotations'];
/** What Kubernetes writes of its own accord when it is asked for an object. None of it is wanted by anybody. */
export const WRITTEN_BY_KUBERNETES = [
  ...['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'],
  ...['finalizers', 'ownerReferences', 'generateName', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
];

/** The manifests of a document: one, or those of a list. What is wrong with how they are named is reported. */
export function readManifests(document: Document, problems: Problems): ManifestOfKind[] {
  return readAt(document, document.json, [], problems);
}

function readAt(document: Document, json: unknown, root: Path, problems: Problems): ManifestOfKind[] {
  const refuse = (path: Path, text: string): ManifestOfKind[] => {
    const shown = formatPath([...root, ...path], document.json) || '(document)';
    problems.say(document.placeOf([...root, ...path]), `${shown}: ${text}`);
    return [];
  };
  if (!isRecord(json))
    return refuse([], 'is no manifest. Give an object with apiVersion, kind, metadata and spec.');
  const { apiVersion, kind } = json;
  if (apiVersion === 'v1' && kind === 'List') {
    const { items } = json;
    if (!Array.isArray(items)) return refuse(['items'], 'is not valid; allowed: a list. Make it one.');
    return items.flatMap((item, index) => readAt(document, item, [...root, 'items', index], problems));
  }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return refuse([], notNamed(json));
  const known = KINDS.find(each => each.kind === kind && each.apiVersion === apiVersion);
  if (known === undefined) return refuse(['kind'], unknownKind(apiVersion, kind));
  const metadata = json['metadata'];
  const { name, namespace: said } = isRecord(metadata) ? metadata : {};
  const namespace = said ?? DEFAULT_NAMESPACE;
  if (typeof name === 'number' || typeof name === 'boolean')
    return refuse(['metadata', 'name'], `${kind}: ${name} is no text here. Quote it: "${name}".`);
  if (typeof name !== 'string' || name === '')
    return refuse(['metadata', 'name'], `${kind}: is required; allowed: text. Add it: it is the identity.`);
  if (typeof namespace !== 'string' || !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace))
    return refuse(
      ['metadata', 'namespace'],
      `${kind} ${name}: is not valid; allowed: small letters, digits and "-".`,
    );
  const spec = isRecord(json['spec']) ? json['spec'] : {};
  const manifest: Manifest = { document, root, apiVersion, kind, name, namespace, json, spec };
  checkFields(manifest, known, problems);
  return [{ manifest, kind: known }];
}

/** The fields around what is wanted. What Kubernetes adds to an object that it gives out is left alone. */
function checkFields(manifest: Manifest, { top = ['spec'] }: ManifestKind, problems: Problems): void {
  const known = ['apiVersion', 'kind', 'metadata', ...top];
  const ignored = ['status', '$schema'];
  for (const key of Object.keys(manifest.json)) {
    if (!known.includes(key) && !ignored.includes(key)) problems.add(manifest, unknownField([key], known));
  }
  const { metadata, spec } = manifest.json;
  for (const key of Object.keys(isRecord(metadata) ? metadata : {})) {
    if (METADATA.includes(key) || WRITTEN_BY_KUBERNETES.includes(key)) continue;
    problems.add(manifest, unknownField(['metadata', key], METADATA));
  }
  if (top.includes('spec') && !isRecord(spec))
    problems.add(manifest, {
      path: ['spec'],
      reason: 'is required',
      allowed: 'an object',
      remedy: 'Add it.',
    });
}

function notNamed(json: Json): string {
  const says = 'is no manifest: apiVersion and kind are required, as text.';
  if ('machines' in json && 'owner' in json) return `${says} This is a desired state: give it with --spec.`;
  const isHelm = ['providers', 'replicaCount', 'env', 'resources', 'tolerations'].some(key => key in json);
  if (isHelm)
    return `${says} Values of a Helm chart have no meaning here: set PVE_ENDPOINT and the like in the environment of this program.`;
  return `${says} Allowed: ${kinds()}.`;
}

function unknownKind(apiVersion: string, kind: string): string {
  const says = `"${kind}" of "${apiVersion}"`;
  const others = KINDS.filter(each => each.kind === kind).map(each => `"${each.apiVersion}"`);
  if (others.length > 0) return `${says} is not known; allowed: ${others.join(', ')}. Name it in apiVersion.`;
  const instead = Object.hasOwn(REPLACED, kind) ? REPLACED[kind] : undefined;
  if (instead !== undefined) return `${says} has no meaning here. ${instead}`;
  const near = closest(
    kind,
    KINDS.map(each => each.kind),
  );
  return `${says} is not known; allowed: ${kinds()}. ${near === undefined ? 'Remove the document.' : `Did you mean "${near}"?`}`;
}

function kinds(): string {
  return KINDS.map(({ kind }) => kind).join(', ');
}

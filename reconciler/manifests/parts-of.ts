import { isRecord, parseMachineClass, parsePlacementPolicy, parsePreparedImage } from '../../spec';
import type { Parsed, PlacementPolicy, PreparedImage } from '../../spec';
import type { Parts } from './machine-of-manifest';
import { draftOf, type SpecPart } from './draft-of';
import type { Catalog } from './read/catalog';
import type { Role } from './read/kinds';
import type { Manifest } from './read/manifest';
import { put, type Telling } from './read/rows';

/** The classes, images and policies of a run: each is checked, also one that nobody names. Those that are wrong are reported. */
export function partsOf(catalog: Catalog, reading: Telling): Parts {
  const each = <T>(role: Role, parsed: (part: SpecPart, reading: Telling) => Parsed<T> | undefined) =>
    new Map<Manifest, T>(
      catalog.all
        .filter(({ kind }) => kind.role === role)
        .flatMap(known => {
          const part = draftOf(known, reading);
          const value = valueOf(parsed(part, reading), part, reading);
          return value === undefined ? [] : [[known.manifest, value] as const];
        }),
    );
  return {
    classes: each('class', ({ draft }) => parseMachineClass(draft.json)),
    images: each('image', imageIn),
    policies: each('policy', policyIn),
  };
}

function policyIn({ manifest, draft }: SpecPart, reading: Telling): Parsed<PlacementPolicy> {
  const { nodeSelector } = manifest.spec;
  // node names as a list, or labels of nodes
  const to = Array.isArray(nodeSelector) ? 'nodes' : 'nodeSelector';
  if (nodeSelector !== undefined)
    put({ ...reading, manifest }, draft, to, nodeSelector, ['spec', 'nodeSelector']);
  return parsePlacementPolicy(draft.json);
}

function imageIn({ manifest, draft }: SpecPart, { problems }: Telling): Parsed<PreparedImage> | undefined {
  const path = ['spec', 'source'];
  const { source } = manifest.spec;
  if (typeof source !== 'string' && typeof source !== 'number') {
    const allowed = 'the name or the number of a template, or the address of an image';
    const isThere = source !== undefined && source !== null;
    const wrong = isThere
      ? { shown: true, remedy: 'Write that.' }
      : { reason: 'is required', remedy: 'Add it.' };
    problems.add(manifest, { path, allowed, ...wrong });
    return undefined;
  }
  draft.set([/^https?:\/\//i.test(String(source)) ? 'url' : 'template'], source, path);
  return parsePreparedImage(draft.json);
}

function valueOf<T>(parsed: Parsed<T> | undefined, { manifest, draft }: SpecPart, { problems }: Telling) {
  if (parsed === undefined || parsed.ok) return parsed?.value;
  // each begins with the place that it would have in a list of its kind
  for (const problem of parsed.problems)
    problems.tell(manifest, { ...problem, at: draft.sourceOf(problem.at.slice(2)) });
  return undefined;
}

/** A policy that nobody names decides nothing, and nothing in it shows that: it is said. */
export function idlePolicies(catalog: Catalog): string[] {
  const named = new Set(
    catalog.of('machine', 'clone').map(({ spec: { placementRef }, namespace }) => {
      const { name, namespace: said } = isRecord(placementRef) ? placementRef : {};
      return `${String(said ?? namespace)}/${String(name)}`;
    }),
  );
  return catalog
    .of('policy')
    .filter(({ name, namespace }) => !named.has(`${namespace}/${name}`))
    .map(({ name }) => `VMPlacementPolicy ${name}: does nothing, as no machine names it in placementRef.`);
}

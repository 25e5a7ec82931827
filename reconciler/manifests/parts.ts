import { parseMachineClass, parsePlacementPolicy, parsePreparedImage } from '../../spec';
import type { MachineClass, Parsed, PlacementPolicy, PreparedImage, Problem } from '../../spec';
import { Draft } from './read/draft';
import type { Known } from './read/read-manifest';
import { put, readRows, type Reading } from './read/rows';

/** A manifest as a part of a spec. */
export interface Part extends Known {
  draft: Draft;
}

/** Writes what a manifest says into a draft, by the rows of its kind. */
export function draftOf(known: Known, reading: Omit<Reading, 'manifest'>, name = 'name'): Part {
  const draft = new Draft();
  const { kind, manifest } = known;
  draft.set([name], manifest.name, ['metadata', 'name']);
  readRows({ ...reading, manifest }, draft, kind, manifest.spec, ['spec']);
  return { ...known, draft };
}

/** A class that machines name; undefined where it is wrong, which is told. */
export function classOf(known: Known, reading: Omit<Reading, 'manifest'>): MachineClass | undefined {
  const part = draftOf(known, reading);
  return valueOf(parseMachineClass(part.draft.json), part, reading);
}

/** A placement that machines name. */
export function policyOf(known: Known, reading: Omit<Reading, 'manifest'>): PlacementPolicy | undefined {
  const part = draftOf(known, reading);
  const { nodeSelector } = known.manifest.spec;
  // node names as a list, or labels of nodes
  const to = Array.isArray(nodeSelector) ? 'nodes' : 'nodeSelector';
  if (nodeSelector !== undefined)
    put({ ...reading, manifest: known.manifest }, part.draft, to, nodeSelector, ['spec', 'nodeSelector']);
  return valueOf(parsePlacementPolicy(part.draft.json), part, reading);
}

/** An image that machines name. */
export function imageOf(known: Known, reading: Omit<Reading, 'manifest'>): PreparedImage | undefined {
  const part = draftOf(known, reading);
  const { source } = known.manifest.spec;
  if (typeof source !== 'string' && typeof source !== 'number') {
    const allowed = 'the name or the number of a template, or the address of an image';
    reading.problems.add(known.manifest, {
      path: ['spec', 'source'],
      reason: 'is required',
      allowed,
      remedy: 'Add it.',
    });
    return undefined;
  }
  const to = /^https?:\/\//i.test(String(source)) ? 'url' : 'template';
  part.draft.set([to], source, ['spec', 'source']);
  return valueOf(parsePreparedImage(part.draft.json), part, reading);
}

function valueOf<T>(
  parsed: Parsed<T>,
  { manifest, draft }: Part,
  { problems }: Omit<Reading, 'manifest'>,
): T | undefined {
  if (parsed.ok) return parsed.value;
  // each begins with the place that it would have in a list of its kind
  tellOf(parsed.problems, 2).forEach(problem =>
    problems.tell(manifest, { ...problem, at: draft.sourceOf(problem.at) }),
  );
  return undefined;
}

function tellOf(problems: readonly Problem[], depth: number): Problem[] {
  return problems.map(problem => ({ ...problem, at: problem.at.slice(depth) }));
}

import { Draft } from './read/draft';
import type { ManifestOfKind } from './read/manifest-head';
import { readRows, type Telling } from './read/rows';

/** A manifest as a part of a spec. */
export interface SpecPart extends ManifestOfKind {
  draft: Draft;
}

/** Writes what a manifest says into a draft, by the rows of its kind. */
export function draftOf(known: ManifestOfKind, reading: Telling, name = 'name'): SpecPart {
  const draft = new Draft();
  const { kind, manifest } = known;
  draft.set([name], manifest.name, ['metadata', 'name']);
  readRows({ ...reading, manifest }, draft, kind, manifest.spec, ['spec']);
  return { ...known, draft };
}

import { Draft } from './read/draft';
import type { Known } from './read/manifest-head';
import { readRows, type Telling } from './read/rows';

/** A manifest as a part of a spec. */
export interface SpecPart extends Known {
  draft: Draft;
}

/** Writes what a manifest says into a draft, by the rows of its kind. */
export function draftOf(known: Known, reading: Telling, name = 'name'): SpecPart {
  const draft = new Draft();
  const { kind, manifest } = known;
  draft.set([name], manifest.name, ['metadata', 'name']);
  readRows({ ...reading, manifest }, draft, kind, manifest.spec, ['spec']);
  return { ...known, draft };
}

import { untouched, type Refusal, type Warning } from '../action';
import { otherKubernetes, takeOverWords } from '../mark/kubernetes-source';
import type { Scene } from '../machine/scene';

/** A machine whose mark names another source: two of them that share an owner would write it in turn, for ever. Pure. */
export function otherSource({
  mark,
  context,
  origin,
}: Pick<Scene, 'mark' | 'context' | 'origin'>): Warning[] {
  const { sourceName: source, source: own } = context.wanted;
  if (origin !== 'kept' || source === undefined || mark?.source === undefined || mark.source === source)
    return [];
  if (own?.names.includes(mark.source) === true) return [];
  const text = `it was last written by source "${mark.source}", and this is source "${source}", of the same owner: the next write takes it over. Where both are one, give them one name (--source, PVE_SOURCE); else give one of them another owner.`;
  return [{ about: 'source', text }];
}

/** A guest that another Kubernetes holds: what stands there counts, until a person says that it is this one's. Pure. */
export function heldByKubernetes({
  spec,
  mark,
  context,
}: Pick<Scene, 'spec' | 'mark' | 'context'>): Refusal[] {
  const { sourceName, source } = context.wanted;
  // who only reads takes nothing over
  if (spec.mode === 'observe') return [];
  const own = sourceName === undefined ? [] : [sourceName];
  const other = otherKubernetes(mark, [...own, ...(source?.names ?? [])]);
  if (other === undefined) return [];
  const detail = `its guest is held by source "${other}", which is another Kubernetes, and this is ${sourceName === undefined ? 'a source without a name' : `source "${sourceName}"`}.`;
  return [{ machine: spec.id, ...untouched('other-kubernetes', detail, takeOverWords(other)) }];
}

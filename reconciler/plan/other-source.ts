import type { Warning } from '../action';
import type { Scene } from '../machine/scene';

/** A machine whose mark names another source: two of them that share an owner would write it in turn, for ever. Pure. */
export function otherSource({
  mark,
  context,
  origin,
}: Pick<Scene, 'mark' | 'context' | 'origin'>): Warning[] {
  const { sourceName: source, source: own } = context.asked;
  if (origin !== 'kept' || source === undefined || mark?.source === undefined || mark.source === source)
    return [];
  if (own?.names.includes(mark.source) === true) return [];
  const text = `it was last written by source "${mark.source}", and this is source "${source}", of the same owner: the next write takes it over. Where both are one, give them one name (--source, PVE_SOURCE); else give one of them another owner.`;
  return [{ about: 'source', text }];
}

import type { Ids } from './identity';
import type { Mark } from './mark';
import { wantedBy } from './wanted-source';

/**
 * The other source that wrote a guest which only an id of before finds. An id that a machine had is free for anybody: that
 * source may have made a machine of its own with it. Undefined: one of those that ask wrote it, nobody knows who did, or a
 * Terraform state holds it, whose entry proves more. `own`: the sources that ask.
 */
export function otherSourceOfFormer(
  mark: Pick<Mark, 'machine' | 'source' | 'entry'> | undefined,
  ids: Ids,
  own: readonly string[],
): string | undefined {
  if (mark?.source === undefined || mark.entry !== undefined || mark.machine === ids[0]) return undefined;
  const isOwn = own.some(name => name === mark.source || wantedBy(name) === mark.source);
  return isOwn ? undefined : mark.source;
}

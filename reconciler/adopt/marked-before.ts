import { descriptionOf, observedGuest } from '../observe/guest';
import { isOwnerTag, splitTags } from '../mark/owner-tag';
import type { LeftAlone } from './candidates';
import type { ReadGuest } from './find-machines';

/** A guest that an earlier run marked, without what that run wrote: the program was made of it as it is here. */
export interface MarkedBefore extends ReadGuest {
  id: string;
}

/** The guest without the mark that this owner has on it; undefined where it is something else that is left alone. */
export function markedBefore(
  listed: ReadGuest['listed'],
  left: LeftAlone,
  owner: string,
): MarkedBefore | undefined {
  const { config, ofOwner, ofMachine } = left;
  if (config === undefined || ofOwner !== owner || ofMachine === undefined) return undefined;
  const { tags = '', description: _, ...rest } = config.current;
  const others = splitTags(tags).filter(tag => !isOwnerTag(tag));
  const { text } = descriptionOf(config);
  const current = {
    ...rest,
    ...(others.length > 0 && { tags: others.join(';') }),
    ...(text !== '' && { description: text }),
  };
  return { listed, guest: observedGuest(listed, { ...config, current }), id: ofMachine };
}

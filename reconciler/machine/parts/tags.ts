import { isOwnerTag, ownerTag, splitTags } from '../../mark/owner-tag';
import type { Part } from '../scene';

/** The user's tags and ours, as one set. Without `tags` in the spec the guest keeps what it has besides ours. */
export const tags: Part = ({ spec, next, context }) => {
  const ours = ownerTag(context.wanted.identity.owner, spec.id);
  const there = splitTags(next.tags ?? '').filter(tag => !isOwnerTag(tag));
  const users = spec.tags ?? (spec.clear?.includes('tags') === true ? [] : there);
  const wanted = new Set([...users, ours].map(tag => tag.toLowerCase()));
  return [{ field: 'tags', key: 'tags', value: [...wanted].sort().join(';') }];
};

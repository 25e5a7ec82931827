import { untouched, type Refusal } from '../action';
import { isOwnerTag, splitTags } from '../mark/owner-tag';
import { grantRemedy } from './pveum-lines';
import type { ObservedCluster, TagRules } from '../observed';
import { holds } from './held';

/** Why a caller may not set or remove a tag. */
export interface TagHindrance {
  tag: string;
  because: 'registered' | TagRules['access'];
}

/** The tags among those that change which the caller may not touch. Where the rules are not known, he may. */
export function tagHindrances(before: string, after: string, cluster: ObservedCluster): TagHindrance[] {
  const { tagRules } = cluster;
  if (tagRules === undefined || holds(cluster, { path: '/', privilege: 'Sys.Modify' })) return [];
  const { access, registered, allowed } = tagRules;
  return [...changed(splitTags(before), splitTags(after))].flatMap((tag): TagHindrance[] => {
    if (registered.includes(tag)) return [{ tag, because: 'registered' }];
    return access === 'free' || allowed.includes(tag) ? [] : [{ tag, because: access }];
  });
}

function changed(before: string[], after: string[]): Set<string> {
  return new Set([
    ...before.filter(tag => !after.includes(tag)),
    ...after.filter(tag => !before.includes(tag)),
  ]);
}

const BECAUSE: Record<TagHindrance['because'], string> = {
  registered: 'is among the registered-tags of the datacenter',
  none: 'is not free: user-tag-access of the datacenter is "none"',
  list: 'is not in the list of user-tag-access of the datacenter',
  existing: 'is new, and user-tag-access of the datacenter is "existing"',
  free: 'is free',
};

/** One refusal that names every tag which the caller may not touch, and what may be done. */
export function tagRefusal(
  machine: string,
  hindrances: readonly TagHindrance[],
  cluster: ObservedCluster,
): Refusal | undefined {
  if (hindrances.length === 0) return undefined;
  const named = hindrances.map(({ tag, because }) => `tag '${tag}'${ours(tag)} ${BECAUSE[because]}`);
  const allow = grantRemedy([{ path: '/', privileges: ['Sys.Modify'] }], cluster);
  const detail = `${cluster.caller ?? 'the caller'} may not set or remove: ${named.join('; ')}.`;
  const remedy = `${another(hindrances)}Or allow every tag. ${allow}`;
  return { machine, ...untouched('tags', detail, remedy) };
}

function ours(tag: string): string {
  return isOwnerTag(tag) ? ' (it marks the machine as ours, and must stay)' : '';
}

function another(hindrances: readonly TagHindrance[]): string {
  const listable = hindrances.filter(({ because }) => because === 'list' || because === 'existing');
  const leave = hindrances.filter(({ tag }) => !isOwnerTag(tag)).map(({ tag }) => `'${tag}'`);
  const left = leave.length === 0 ? '' : `Leave ${leave.join(', ')} as they are in tags. `;
  if (listable.length < hindrances.length) return left;
  const names = listable.map(({ tag }) => tag).join(';');
  return `${left}Or add ${names} to user-allow-list of user-tag-access, or set user-allow=free (Datacenter, Options). `;
}

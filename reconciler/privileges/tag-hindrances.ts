import type { ObservedCluster } from '../observed';
import type { TagRules } from '../mark/tag-rules';
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
  return changed(tagsOf(before), tagsOf(after)).flatMap((tag): TagHindrance[] => {
    if (registered.includes(tag)) return [{ tag, because: 'registered' }];
    return access === 'free' || allowed.includes(tag) ? [] : [{ tag, because: access }];
  });
}

function changed(before: string[], after: string[]): string[] {
  return [...before.filter(tag => !after.includes(tag)), ...after.filter(tag => !before.includes(tag))];
}

function tagsOf(text: string): string[] {
  return [...new Set(text.split(/[;,\s]+/).filter(tag => tag !== ''))];
}

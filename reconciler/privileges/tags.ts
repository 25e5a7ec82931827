import type { Refusal } from '../action';
import { isOwnerTag } from '../mark/owner-tag';
import type { TagRules } from '../mark/tag-rules';
import { aclLines } from './acl-lines';
import type { ObservedCluster } from '../observed';
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
  const lines = aclLines([{ path: '/', privileges: ['Sys.Modify'] }], cluster);
  return {
    machine,
    why: 'tags',
    detail: `${cluster.caller ?? 'the caller'} may not set or remove: ${named.join('; ')}.`,
    remedy: `${another(hindrances)}Or let an administrator allow every tag:\n${lines.join('\n')}\n`,
    changed: 'nothing',
  };
}

function ours(tag: string): string {
  return isOwnerTag(tag) ? ' (it marks the machine as ours, and cannot be left away)' : '';
}

function another(hindrances: readonly TagHindrance[]): string {
  const listable = hindrances.filter(({ because }) => because === 'list' || because === 'existing');
  const leave = hindrances.filter(({ tag }) => !isOwnerTag(tag)).map(({ tag }) => `'${tag}'`);
  return [
    ...(leave.length === 0 ? [] : [`Leave ${leave.join(', ')} as they are in tags. `]),
    ...(listable.length < hindrances.length || listable.length === 0
      ? []
      : [
          `Or add ${listable.map(({ tag }) => tag).join(';')} to user-allow-list of user-tag-access, or set user-allow=free (Datacenter, Options). `,
        ]),
  ].join('');
}

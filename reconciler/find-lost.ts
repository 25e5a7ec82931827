import type { Fleet } from './fleet';
import { markOf, observedGuest, uuidOf } from './guest-facts';
import { verdictOn } from './identity';
import type { Evidence, Identity } from './identity';
import type { ListedGuest, ObservedGuest } from './observed';
import { isOwnerTag, ownerTag } from './owner-tag';
import { PveError, readConfig } from './pve';

/** What a wide search for a machine found. A copy carries our tag and line, and was cloned from ours. */
export interface Lost {
  ours: ObservedGuest[];
  copies: ListedGuest[];
}

/**
 * Looks for a machine that its tag and its id do not find: renamed, its tag lost, or its birth cut short. Reads the
 * marks of all guests that carry a tag of ours, and of those that are off and carry none.
 */
export async function findLost(fleet: Fleet, identity: Identity): Promise<Lost> {
  const tags = identity.ids.map(id => ownerTag(identity.owner, id));
  const candidates = fleet.cluster.guests.filter(isCandidate);
  const found = await Promise.all(candidates.map(listed => lookAt(fleet, listed, identity, tags)));
  const findings = found.filter(finding => finding !== undefined);
  return {
    ours: findings.filter(({ isOurs }) => isOurs).map(({ guest }) => guest),
    copies: findings.filter(({ isCopy }) => isCopy).map(({ listed }) => listed),
  };
}

/** Unfinished births were never started and have no tag of ours yet. */
function isCandidate({ type, template, tags, power }: ListedGuest): boolean {
  return type === 'qemu' && !template && (tags.some(isOwnerTag) || power !== 'running');
}

interface Finding {
  listed: ListedGuest;
  guest: ObservedGuest;
  isOurs: boolean;
  isCopy: boolean;
}

async function lookAt(
  fleet: Fleet,
  listed: ListedGuest,
  identity: Identity,
  tags: string[],
): Promise<Finding | undefined> {
  try {
    const config = await readConfig(fleet.pve, listed);
    const hasOurTag = listed.tags.some(tag => tags.includes(tag));
    const evidence = { mark: markOf(config), uuid: uuidOf(config.current), hasOurTag };
    const verdict = verdictOn(evidence, identity);
    return {
      listed,
      guest: observedGuest(listed, config),
      isOurs: verdict === 'ours' || verdict === 'unfinished' || hasEntry(evidence, identity.entry),
      isCopy: verdict === 'copy' && hasOurTag,
    };
  } catch (error) {
    // went or moved since it was listed
    if (error instanceof PveError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Terraform's entry in the mark proves whose it is, also when owner or id were renamed since. */
function hasEntry({ mark, uuid }: Evidence, entry: string | undefined): boolean {
  if (entry === undefined || entry === '' || mark === undefined || mark === 'damaged') return false;
  return mark.e === entry && (mark.u.toLowerCase() === uuid || mark.b === 1);
}

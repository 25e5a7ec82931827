import type { Identity } from './identity';
import { sayCloned } from './image-words';
import { isMadeBy, isMadeFor } from './machine-uuid';
import type { Mark } from './mark';

/** What one guest is to a machine. */
export type Verdict =
  | 'ours'
  /** Made by us, and its first configuration was not written yet. */
  | 'unfinished'
  /** Of this owner and id, and another Terraform state holds it, or none where this one must. */
  | 'other-entry'
  /** It carries our line and another uuid: somebody cloned it from ours. */
  | 'copy'
  /** Our tag, and a uuid that was made for it; our line is gone, cannot be read, or is not true of it. */
  | 'edited'
  /** The same, and this run is not of the Terraform state that made it, or of none where none did. */
  | 'edited-of-entry'
  /** Our line is there and cannot be read. */
  | 'damaged'
  /** It carries our tag, and a line of ours that a later release wrote. */
  | 'later'
  /** It carries our tag, and no line of ours, or one that names another machine. */
  | 'tagged'
  | 'foreign';

export interface Evidence {
  mark: Mark | undefined;
  /** Our line is there, and cannot be read. */
  isDamaged: boolean;
  uuid: string | undefined;
  hasOurTag: boolean;
  /** A later release wrote the mark: this one cannot know what it says. */
  isLater?: boolean;
}

/**
 * Whether a guest still waits for its first configuration: until then another one may become the machine. A clone gets
 * our tag with it; a guest that is made from nothing has the tag at once, and only loses `isUnfinished`.
 */
export function isUnfinished({ mark, hasOurTag }: Evidence): boolean {
  return mark?.isUnfinished === true && (!hasOurTag || !sayCloned(mark.image));
}

/**
 * Decides by tag, mark and uuid, all three: a tag or a description alone proves nothing. Where the mark proves nothing any
 * more, tag and uuid do, if the uuid was made for this machine (ADR 0021).
 */
export function verdictOn(evidence: Evidence, identity: Identity): Verdict {
  if (evidence.isLater) return evidence.hasOurTag ? 'later' : 'foreign';
  const verdict = byMark(evidence, identity);
  const isLost = LOST.includes(verdict) && evidence.hasOurTag && !isAnothers(evidence);
  if (!isLost || !isMadeFor(evidence.uuid, identity)) return verdict;
  return mayHeal(evidence.uuid, identity) ? 'edited' : 'edited-of-entry';
}

/** Verdicts on a guest whose mark tells nothing, or nothing true. */
const LOST: readonly Verdict[] = ['damaged', 'tagged', 'copy'];

function byMark(evidence: Evidence, identity: Identity): Verdict {
  const { owner, ids } = identity;
  const { mark, isDamaged, uuid, hasOurTag } = evidence;
  if (isDamaged) return hasOurTag ? 'damaged' : 'foreign';
  if (mark === undefined || mark.owner !== owner || !ids.includes(mark.machine))
    return hasOurTag ? 'tagged' : 'foreign';
  // the clone still has its source's uuid, and none of our tags, until the first write
  if (mark.isUnfinished === true && !hasOurTag)
    return sameEntry(mark, identity) ? 'unfinished' : 'other-entry';
  if (mark.uuid.toLowerCase() !== uuid) return 'copy';
  if (!sameEntry(mark, identity)) return 'other-entry';
  return isUnfinished(evidence) ? 'unfinished' : 'ours';
}

/** Whether the mark is true of the guest, and so says that it is another machine: it was renamed, or given away. */
function isAnothers({ mark, uuid }: Evidence): boolean {
  return mark !== undefined && mark.uuid.toLowerCase() === uuid;
}

/** Which entry holds it only the mark knew; who made it, the uuid tells. A plan of Terraform has no entry to compare. */
function mayHeal(uuid: string | undefined, { entry, isOfTerraform }: Identity): boolean {
  if (entry === undefined && isOfTerraform === true) return !isMadeBy(uuid, undefined);
  return isMadeBy(uuid, entry);
}

/** A run without an entry works on any machine of its owner; a mark without one was never Terraform's. */
function sameEntry(mark: Mark, { entry, mustHold }: Identity): boolean {
  if (mark.entry === undefined) return mustHold !== true;
  return entry === undefined || mark.entry === entry;
}

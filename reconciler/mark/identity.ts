import type { MachineSpec } from '../../spec';
import { sayCloned } from './image-words';
import type { Mark } from './mark';

/** Whose machine it is that we look for. */
export interface Identity {
  owner: string;
  /** Today's id first, then those it had before. */
  ids: string[];
  /** The Terraform registry entry's id; absent for the command line and the daemon. */
  entry?: string;
  /** Terraform plans: no entry is told to its plans, and its apply says which one it is. */
  isOfTerraform?: boolean;
  /** Of a destroy: the source that its mark named when somebody decided it, `null` for none. Absent: it does not matter. */
  writtenBy?: string | null;
}

/** Today's id of a machine first, then those it had before. */
export function idsOf({ id, formerIds = [] }: Pick<MachineSpec, 'id' | 'formerIds'>): string[] {
  return [id, ...formerIds];
}

/** What one guest is to a machine. */
export type Verdict =
  | 'ours'
  /** Made by us, and its first configuration was not written yet. */
  | 'unfinished'
  /** Of this owner and id, and another Terraform state holds it. */
  | 'other-entry'
  /** It carries our line and another uuid: somebody cloned it from ours. */
  | 'copy'
  /** Our line is there and cannot be read. */
  | 'damaged'
  /** It carries our tag, and no line of ours, or one that names another machine. */
  | 'tagged'
  | 'foreign';

export interface Evidence {
  mark: Mark | 'damaged' | undefined;
  uuid: string | undefined;
  hasOurTag: boolean;
}

/**
 * Whether a guest still waits for its first configuration: until then another one may become the machine. A clone gets
 * our tag with it; a guest that is made from nothing has the tag at once, and only loses `b`.
 */
export function isUnfinished({ mark, hasOurTag }: Evidence): boolean {
  return typeof mark === 'object' && mark.b === 1 && (!hasOurTag || !sayCloned(mark.i));
}

/** Decides by tag, mark and uuid, all three: a tag or a description alone proves nothing. */
export function verdictOn(evidence: Evidence, { owner, ids, entry }: Identity): Verdict {
  const { mark, uuid, hasOurTag } = evidence;
  if (mark === 'damaged') return hasOurTag ? 'damaged' : 'foreign';
  if (mark === undefined || mark.o !== owner || !ids.includes(mark.m))
    return hasOurTag ? 'tagged' : 'foreign';
  // the clone still has its source's uuid, and none of our tags, until the first write
  if (mark.b === 1 && !hasOurTag) return sameEntry(mark, entry) ? 'unfinished' : 'other-entry';
  if (mark.u.toLowerCase() !== uuid) return 'copy';
  if (!sameEntry(mark, entry)) return 'other-entry';
  return isUnfinished(evidence) ? 'unfinished' : 'ours';
}

/** A run without an entry works on any machine of its owner; a mark without one was never Terraform's. */
function sameEntry(mark: Mark, entry: string | undefined): boolean {
  return entry === undefined || mark.e === undefined || mark.e === entry;
}

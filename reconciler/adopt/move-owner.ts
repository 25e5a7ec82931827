import { isUnfinished } from '../mark/verdict';
import { writeDescription } from '../mark/description';
import type { Mark } from '../mark/mark';
import { isOwnerTag, ownerTag } from '../mark/owner-tag';
import { evidenceOf, hasUuidOf, markOf, observedGuest } from '../observe/guest';
import { tagged } from '../observe/tagged-guests';
import { ifStillThere } from '../observe/if-allowed';
import { plain } from '../observe/refused-guest';
import type { ListedGuest } from '../observed';
import { onFailure, readConfig, writeConfig, type GuestConfig } from '../pve';
import { isOffWithChanges } from '../run/reads/off-with-changes';
import { whyNoMark } from '../plan/why-no-mark';
import type { Run } from '../run/run';

/** A guest with a mark that can be read. */
export interface Marked {
  listed: ListedGuest;
  mark: Mark;
  /** Its mark has another uuid than the guest: it is a copy, or somebody changed the uuid by hand. */
  hasOtherUuid?: true;
}

/** Reads the marks of all guests that carry a tag of ours, whoever owns them: one request each. */
export async function readMarks(run: Run): Promise<Marked[]> {
  const read = await Promise.all(
    tagged(run.cluster.guests).map(async listed => {
      const config = await ifStillThere(readConfig(run.pve, listed));
      const mark = config && markOf(config);
      if (config === undefined || mark === undefined) return [];
      const hasOtherUuid = mark.isUnfinished !== true && !hasUuidOf(mark, config);
      return [{ listed, mark, ...(hasOtherUuid && { hasOtherUuid: true as const }) }];
    }),
  );
  return read.flat();
}

const MOST_TRIES = 5;

/** From whom to whom. */
export interface Move {
  from: string;
  to: string;
}

/**
 * Gives one machine to another owner: its mark and its tag in one write, with the digest of a reading directly before.
 * Everything else of the mark stays. What a Terraform state holds is not moved: its registry keeps the owner. Says why not,
 * in sentences, or nothing. Safe to run again.
 */
export async function moveOwner(run: Run, { listed, mark }: Marked, move: Move): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    run.signal.throwIfAborted();
    const config = await readConfig(run.pve, listed);
    const now = markOf(config);
    if (now?.owner === move.to && now.machine === mark.machine) return undefined;
    const why = whyNot(config, mark, move);
    if (why !== undefined) return `${plain(listed)} ${why}.`;
    const guest = observedGuest(listed, config);
    const waits = whyNoMark(guest, await isOffWithChanges(run.pve, guest));
    if (waits !== undefined) return `${plain(listed)} is not moved: ${waits.why}. ${waits.remedy}`;
    try {
      await writeConfig(run.pve, listed, written(listed, config, mark, move));
    } catch (error) {
      // a change of somebody else, or an answer that was lost: the next reading tells
      if (onFailure(error, 'mark') !== 'again' || tries >= MOST_TRIES) throw error;
    }
  }
}

/** Of a creation that was cut short. No destroy is named: where a Terraform state holds the machine, it is refused by hand. */
export const FINISH_FIRST =
  'Let its run end. Where none is at work, pve-reconciler reconcile with this machine in its desired state finishes it. Then';

/** Of a mark that is not the guest's own: of which of both, only a person can say. */
export const OTHER_UUID =
  'carries the mark with another uuid: it is a copy that somebody made by hand, or its uuid was changed. If it is the machine itself, give it its uuid back; only of a copy remove the last line of its description and its tag pvr-…';

function whyNot(config: GuestConfig, { machine, uuid }: Mark, { from }: Move): string | undefined {
  const mark = markOf(config);
  if (mark === undefined || mark.owner !== from || mark.machine !== machine || mark.uuid !== uuid)
    return `is not machine ${machine} of ${from} any more. Run this again`;
  if (mark.isUnfinished === true || isUnfinished(evidenceOf(config, { owner: from, ids: [machine] })))
    return `is not finished yet. ${FINISH_FIRST} run this again`;
  if (!hasUuidOf(mark, config)) return OTHER_UUID;
  if (mark.entry !== undefined) return 'is held by a Terraform state now. Run this again';
  const lock = config.current['lock'];
  return lock === undefined ? undefined : `is locked (${lock}). Run this again when the lock is gone`;
}

function written(
  listed: ListedGuest,
  config: GuestConfig,
  { machine }: Mark,
  { to }: Move,
): Record<string, string> {
  const { description, mark, digest } = observedGuest(listed, config);
  if (mark === undefined) throw new TypeError(`${machine}: its mark was there, and is not`);
  const others = (config.current['tags'] ?? '').split(/[;, ]+/).filter(tag => tag !== '' && !isOwnerTag(tag));
  return {
    description: writeDescription(description, { ...mark, owner: to }),
    tags: [...others, ownerTag(to, machine)].join(';'),
    digest,
  };
}

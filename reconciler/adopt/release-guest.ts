import { hasMark, isOfLaterVersion, withoutMarks } from '../mark/description';
import { isOwnerTag, splitTags } from '../mark/owner-tag';
import { isUnfinished } from '../mark/verdict';
import { descriptionOf, evidenceOf, hasUuidOf, markOf, observedGuest } from '../observe/guest';
import { PveError, onFailure, readConfig, writeConfig, type GuestConfig } from '../pve';
import { isOffWithChanges } from '../run/reads/off-with-changes';
import { whyNoMark } from '../plan/why-no-mark';
import type { Run } from '../run/run';
import { REASONS, type Reason } from './candidates';
import { FINISH_FIRST, type Marked } from './move-owner';

const MOST_TRIES = 5;

/**
 * Takes our mark and our tags off a guest, in one write with the digest of a reading directly before, and touches nothing
 * else of it. A write that meets a change made meanwhile is judged anew. Says why not, or nothing. Safe to run again.
 */
export async function releaseGuest(run: Run, { listed, mark }: Marked): Promise<Reason | undefined> {
  for (let tries = 1; ; tries += 1) {
    run.signal.throwIfAborted();
    try {
      const config = await readConfig(run.pve, listed);
      if (!carriesUs(config)) return hasUuidOf(mark, config) ? undefined : KEPT.another;
      const why = whyItIsKept(config, mark.owner) ?? (isSame(config, mark) ? undefined : KEPT.another);
      if (why !== undefined) return why;
      if (tries > MOST_TRIES) return KEPT.again;
      const guest = observedGuest(listed, config);
      const waits = whyNoMark(guest, await isOffWithChanges(run.pve, guest));
      if (waits !== undefined) return waits;
      await writeConfig(run.pve, listed, released(config));
    } catch (error) {
      if (!(error instanceof PveError)) throw error;
      if (error.kind === 'not-found') return REASONS.gone;
      // a change of somebody else, or an answer that was lost: the next reading tells
      if (onFailure(error, 'mark') !== 'again' || tries >= MOST_TRIES) throw error;
    }
  }
}

const BY_HAND =
  'Where it is meant, remove the tag pvr-… and, in its notes, the line that begins with <!-- pvr:.';

const KEPT = {
  later: {
    why: 'a later release wrote its mark, and this one does not know what it says',
    remedy: 'Use that release.',
  },
  damaged: {
    why: 'its mark cannot be read, so that nothing tells whose it is',
    remedy: BY_HAND,
  },
  unmarked: {
    why: 'it has a tag of ours and no mark, so that nothing tells whose it is',
    remedy: 'Where it is meant, remove the tag pvr-….',
  },
  unfinished: {
    why: 'it is not finished yet',
    remedy: `${FINISH_FIRST} run this again.`,
  },
  copy: {
    why: 'it is a copy that somebody made by hand, and no machine',
    remedy: BY_HAND,
  },
  another: {
    why: 'it is not the guest any more that was read',
    remedy: 'Run this again.',
  },
  again: {
    why: 'somebody writes its mark again',
    remedy: 'Stop the runs of its owner, and run this again.',
  },
} satisfies Record<string, Reason>;

/** Why a guest with a mark or a tag of ours is not released, as its configuration says it; undefined: it may be. */
export function whyItIsKept(config: GuestConfig, owner: string): Reason | undefined {
  const { mark, isDamaged } = descriptionOf(config);
  if (isOfLaterVersion(config.current['description'])) return KEPT.later;
  if (mark === undefined) return isDamaged ? KEPT.damaged : KEPT.unmarked;
  if (mark.owner !== owner)
    return {
      why: `it is machine ${mark.machine} of owner ${mark.owner}`,
      remedy: 'Name that owner instead.',
    };
  const evidence = evidenceOf(config, { owner, ids: [mark.machine] });
  if (mark.isUnfinished === true || isUnfinished(evidence)) return KEPT.unfinished;
  if (!hasUuidOf(mark, config)) return KEPT.copy;
  const lock = config.current['lock'];
  if (lock === undefined) return undefined;
  return {
    why: `it is locked (${lock})`,
    remedy: 'Run this again when the lock is gone; if nothing holds it, `qm unlock` lifts it.',
  };
}

/** Whether a mark or a tag of ours stands on a guest. */
export function carriesUs({ current }: GuestConfig): boolean {
  return hasMark(current['description'] ?? '') || splitTags(current['tags'] ?? '').some(isOwnerTag);
}

/** Whoever took it over since it was read needs the mark. */
function isSame(config: GuestConfig, { machine, uuid, entry, source }: Marked['mark']): boolean {
  const now = markOf(config);
  return now?.machine === machine && now.uuid === uuid && now.entry === entry && now.source === source;
}

/** What is left of a key is written, and a key with nothing left goes: no other key is named. */
function released({ current, digest }: GuestConfig): Record<string, string> {
  const tags = splitTags(current['tags'] ?? '');
  const others = tags.filter(tag => !isOwnerTag(tag));
  const left: [string, string][] = [['description', withoutMarks(current['description'] ?? '')]];
  if (others.length < tags.length) left.push(['tags', others.join(';')]);
  const gone = left.filter(([, text]) => text === '').map(([key]) => key);
  return {
    ...Object.fromEntries(left.filter(([, text]) => text !== '')),
    ...(gone.length > 0 && { delete: gone.join(',') }),
    digest,
  };
}

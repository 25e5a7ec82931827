import { untouched, type Refusal } from '../action';
import type { ListedGuest, ObservedCluster, ObservedGuest } from '../observed';
import { descriptionOf, hasUuidOf, observedGuest } from '../observe/guest';
import { plain } from '../observe/refused-guest';
import { isOneLess, PveError, readConfig, type GuestConfig, type Pve } from '../pve';
import { letGoFirst } from '../guest/let-go';
import type { Mark } from '../mark/mark';
import { DESCRIPTION_LIMIT, MARK_LIMIT } from '../../spec';

/** Which guests are meant: by their numbers, or all of a pool, of a tag, on a node. */
export interface Choice {
  vmids: readonly number[];
  pool?: string | undefined;
  tag?: string | undefined;
  node?: string | undefined;
}

/** A guest that is not taken over, and why. `isUsual`: nobody expects that of all guests of a cluster. */
export interface LeftAlone {
  refusal: Refusal;
  isUsual: boolean;
  /** Whose machine it is already, and which. */
  ofOwner?: string;
  ofMachine?: string;
  /** It could not be read: nothing tells whose it is. */
  isUnread: boolean;
}

/** The guests that are meant, lowest number first, and those that the cluster does not list. */
export function chosen({ guests }: ObservedCluster, { vmids, pool, tag, node }: Choice) {
  const isMeant = (guest: ListedGuest): boolean =>
    vmids.length > 0
      ? vmids.includes(guest.vmid)
      : (pool === undefined || guest.pool === pool) &&
        (node === undefined || guest.node === node) &&
        (tag === undefined || guest.tags.includes(tag));
  const meant = guests.filter(isMeant).sort((one, other) => one.vmid - other.vmid);
  const missing = vmids.filter(vmid => !guests.some(guest => guest.vmid === vmid));
  return { meant, missing };
}

/**
 * Reads a guest, or says why it cannot be adopted. One request. `mine`: what this owner adopted before is read, too;
 * `isHeld`: by the state that is moved, which may say an image of it.
 */
export async function readCandidate(
  pve: Pve,
  listed: ListedGuest,
  mine?: { owner: string; isHeld: boolean },
): Promise<ObservedGuest | LeftAlone> {
  try {
    if (listed.type === 'lxc') return leftAlone(listed, REASONS.container);
    if (listed.template) return leftAlone(listed, REASONS.template);
    const config = await readConfig(pve, listed);
    const why = whyNot(config);
    const isMine = mine !== undefined && why?.ofOwner === mine.owner && wasAdopted(config, mine);
    return why && !isMine ? leftAlone(listed, why) : observedGuest(listed, config);
  } catch (error) {
    const kind = error instanceof PveError ? error.kind : undefined;
    if (kind === 'denied') return leftAlone(listed, REASONS.hidden);
    if (kind === 'not-found') return leftAlone(listed, REASONS.gone);
    if (isOneLess(error)) return leftAlone(listed, unread(error));
    throw error;
  }
}

/** A node that is up again answers; an answer that is not understood stays as it is. */
function unread({ kind, said, advice }: PveError): Reason {
  if (kind === 'unreachable') return REASONS.unread;
  return { ...REASONS.unread, why: `it cannot be read: ${said.replace(/\.$/, '')}`, remedy: advice };
}

/** Whether its machine was adopted, not made: what is made has an image, and of what is adopted a state alone tells one. */
function wasAdopted(config: GuestConfig, { isHeld }: { isHeld: boolean }): boolean {
  const { mark } = descriptionOf(config);
  if (mark === undefined || mark.isUnfinished === true || !hasUuidOf(mark, config)) return false;
  return isHeld || mark.image === undefined;
}

/** Why a guest is not adopted, and what to do. */
export interface Reason {
  why: string;
  remedy: string;
  isUsual?: boolean;
  ofOwner?: string;
  ofMachine?: string;
  isUnread?: boolean;
}

/** The reasons that the guest itself gives. */
export const REASONS = {
  container: { why: 'it is a container', remedy: 'Leave it out: machines are virtual.', isUsual: true },
  template: { why: 'it is a template', remedy: 'Name it as the image of machines instead.', isUsual: true },
  hidden: { why: 'its configuration may not be read', remedy: 'Grant VM.Audit on it.', isUnread: true },
  gone: {
    why: 'it is gone, or was moved',
    remedy: 'Run this again: the cluster is listed anew.',
    isUnread: true,
  },
  unread: {
    why: 'it cannot be read now',
    remedy: 'Run this again when its node is up.',
    isUnread: true,
  },
  another: {
    why: 'another one has its number since it was read',
    remedy: 'Run this again: the program is made of what is there now.',
  },
  damaged: {
    why: 'the last line of its description is a mark that cannot be read',
    remedy: 'Restore that line, or remove it and the tag pvr-….',
  },
} satisfies Record<string, Reason>;

/** The guest as it is told to people. */
export function leftAlone(
  guest: ListedGuest,
  { why, remedy, isUsual = false, ofOwner, ofMachine, isUnread = false }: Reason,
): LeftAlone {
  const detail = `${plain(guest)} is not adopted: ${why}.`;
  return {
    refusal: { machine: `VM ${guest.vmid}`, ...untouched('not-adoptable', detail, remedy) },
    isUsual,
    isUnread,
    ...(ofOwner !== undefined && { ofOwner }),
    ...(ofMachine !== undefined && { ofMachine }),
  };
}

/** Why a guest cannot be adopted, by its configuration. */
export function whyNot(config: GuestConfig): Reason | undefined {
  const { current } = config;
  const { mark, isDamaged } = descriptionOf(config);
  if (current['template'] === '1') return REASONS.template;
  if (isDamaged) return REASONS.damaged;
  if (mark !== undefined) return whoseItIs(mark, config);
  const lock = current['lock'];
  if (lock !== undefined)
    return {
      why: `it is locked (${lock})`,
      remedy: 'Run this again when the lock is gone; if nothing holds it, `qm unlock` lifts it.',
    };
  return tooLong(current['description'] ?? '');
}

function whoseItIs(mark: Mark, config: GuestConfig): Reason {
  if (hasUuidOf(mark, config) || mark.isUnfinished === true)
    return {
      why: `it is machine ${mark.machine} of owner ${mark.owner} already`,
      remedy:
        mark.entry === undefined
          ? 'Change it by the program of that owner, or give it to another one: pve-reconciler owner move.'
          : `Change it by the program of that owner: a Terraform state holds it. To adopt it here, ${letGoFirst(mark)}.`,
      isUsual: true,
      ofOwner: mark.owner,
      ofMachine: mark.machine,
    };
  return {
    why: `it was cloned by hand from machine ${mark.machine} of owner ${mark.owner}`,
    remedy: 'Remove the last line of its description and its tag pvr-… first.',
  };
}

function tooLong(description: string): Reason | undefined {
  // PVE counts characters (behaviour.md §14.7)
  const over = [...description].length + 1 + MARK_LIMIT - DESCRIPTION_LIMIT;
  if (over <= 0) return undefined;
  return { why: 'its description has no room for the mark', remedy: `Shorten it by ${over} characters.` };
}

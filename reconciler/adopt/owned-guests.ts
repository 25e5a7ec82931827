import { isOwnerTag, ownerTag } from '../mark/owner-tag';
import { readDescription } from '../mark/description';
import type { Mark } from '../mark/mark';
import { isDataIso } from '../machine/data-iso/data-iso-name';
import { isDriveKey } from '../guest/key-kinds';
import { lossesOf } from '../guest/losses';
import { readDrive } from '../guest/drive';
import { markOf, observedGuest } from '../observe/guest';
import { ifSeen } from '../observe/if-allowed';
import { isDown, type ListedGuest } from '../observed';
import { isOneLess, listSnapshots, readConfig, type GuestConfig } from '../pve';
import type { Run } from '../run/run';
import { REASONS, type Reason } from './candidates';
import type { Marked } from './move-owner';
import { carriesUs, whyItIsKept } from './release-guest';

/** What of us stays at a guest that is released. */
export interface Remains {
  /** Snapshots that we took: our line stays in their descriptions. `entry`: a Terraform state has them. */
  snapshots: { name: string; entry: boolean }[];
  /** There are snapshots, which hold our tag: a rollback brings it back. */
  hasSnapshots: boolean;
  /** Files with cloud-init data that its drives name. */
  isos: string[];
  /** Volumes that hang on it unused. */
  volumes: string[];
  /** Its snapshots could not be read. */
  isUnread: boolean;
}

/** A guest that may be released. */
export interface OwnedGuest extends Marked {
  remains: Remains;
}

/** A guest with a mark or a tag of ours that is not released, and why. */
export interface KeptGuest {
  listed: ListedGuest;
  mark: Mark | undefined;
  reason: Reason;
}

/** All guests with a mark or a tag of ours, by what they are to an owner. */
export interface OwnedGuests {
  owned: OwnedGuest[];
  /** Of this owner, or nothing tells whose. */
  kept: KeptGuest[];
  /** Of other owners. */
  others: Marked[];
}

const UNREAD: Reason = {
  why: 'it cannot be read, so that nothing tells whose it is',
  remedy: 'Run this again when its node is up and it may be seen.',
};

/**
 * Reads all guests, one request each, and the snapshots of those that are this owner's: a tag may be lost, and whoever
 * leaves comes back for none.
 */
export async function ownedGuests(run: Run, owner: string): Promise<OwnedGuests> {
  const guests = run.cluster.guests.filter(({ type }) => type === 'qemu');
  const read = await Promise.all(guests.map(listed => judged(run, listed, owner)));
  return {
    owned: read.flatMap(each => (each !== undefined && 'remains' in each ? [each] : [])),
    kept: read.flatMap(each => (each !== undefined && 'reason' in each ? [each] : [])),
    others: read.flatMap(each => (each === undefined || 'remains' in each || 'reason' in each ? [] : [each])),
  };
}

/** Undefined: nothing of ours stands on it, as far as anybody may see. */
async function judged(
  run: Run,
  listed: ListedGuest,
  owner: string,
): Promise<OwnedGuest | KeptGuest | Marked | undefined> {
  const config = await readGuest(run, listed);
  if ('why' in config)
    return listed.tags.some(isOwnerTag) ? { listed, mark: undefined, reason: config } : undefined;
  if (!carriesUs(config)) return undefined;
  const mark = markOf(config);
  if (mark !== undefined && mark.owner !== owner) return { listed, mark };
  const reason = whyItIsKept(config, owner);
  if (reason !== undefined || mark === undefined) return { listed, mark, reason: reason ?? UNREAD };
  return { listed, mark, remains: await remainsOf(run, { listed, mark }, config) };
}

/** Whether a guest that is kept is one of these machines: by its mark, or by a tag that no other machine has. */
export function isOneOf({ listed, mark }: KeptGuest, owner: string, machines: readonly string[]): boolean {
  if (mark !== undefined) return machines.includes(mark.machine);
  return machines.some(machine => listed.tags.includes(ownerTag(owner, machine)));
}

async function readGuest(run: Run, listed: ListedGuest): Promise<GuestConfig | Reason> {
  // its node would be waited for in vain
  if (isDown(run.cluster, listed.node)) return UNREAD;
  try {
    return await readConfig(run.pve, listed);
  } catch (error) {
    if (!isOneLess(error)) throw error;
    return error.kind === 'not-found' ? REASONS.gone : UNREAD;
  }
}

async function remainsOf(
  { pve }: Run,
  { listed, mark: { owner, machine } }: Marked,
  config: GuestConfig,
): Promise<Remains> {
  const snapshots = await ifSeen(listSnapshots(pve, listed));
  const drives = Object.entries(config.current).filter(([key]) => isDriveKey(key));
  const files = drives.map(([, text]) => readDrive(text).file);
  const { volumes } = lossesOf(observedGuest(listed, config));
  return {
    snapshots: (snapshots ?? []).flatMap(({ name, description = '' }) => {
      const { mark } = readDescription(description);
      if (mark?.owner !== owner || mark.machine !== machine) return [];
      return [{ name, entry: mark.entry !== undefined }];
    }),
    hasSnapshots: (snapshots ?? []).length > 0,
    isos: files.filter(isDataIso),
    volumes: volumes.filter(({ kind }) => kind === 'unused').map(({ volume }) => volume),
    isUnread: snapshots === undefined,
  };
}

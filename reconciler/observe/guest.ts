import type { Identity } from '../mark/identity';
import type { Evidence } from '../mark/verdict';
import { isOfLaterVersion, readDescription, type Description } from '../mark/description';
import { sameMark, type Mark } from '../mark/mark';
import { isTaggedAs, splitTags } from '../mark/owner-tag';
import type { ListedGuest, ObservedGuest } from '../observed';
import {
  PveError,
  keyRow,
  parseProperties,
  readConfig,
  type GuestAddress,
  type GuestConfig,
  type Pve,
} from '../pve';

/** What a configuration does not tell of a guest. */
type Surroundings = Pick<ListedGuest, 'vmid' | 'node' | 'power' | 'still' | 'pool' | 'haManaged'>;

/** One guest as its listing and one read of its configuration give it. */
export function observedGuest(listed: Surroundings, config: GuestConfig): ObservedGuest {
  const { text, mark } = descriptionOf(config);
  return {
    vmid: listed.vmid,
    node: listed.node,
    digest: config.digest,
    current: config.current,
    pending: config.pending,
    power: listed.power,
    ...(listed.still !== undefined && { still: listed.still }),
    lock: config.current['lock'],
    pool: listed.pool,
    haManaged: listed.haManaged,
    template: config.current['template'] === '1',
    description: text,
    mark,
    cloudInitStale: mark?.isDriveOld === true,
  };
}

/** The same guest with another description, as a write that went well leaves it. */
export function describedAs(guest: ObservedGuest, description: string): ObservedGuest {
  const { text, mark } = readDescription(description);
  return { ...guest, description: text, mark };
}

/** What a configuration says about whose guest it is. */
export function evidenceOf(config: GuestConfig, identity: Identity): Evidence {
  const tags = splitTags(config.current['tags'] ?? '');
  const hasOurTag = isTaggedAs(identity)({ tags });
  const uuid = provenMark(config)?.uuid.toLowerCase() ?? uuidOf(config.current);
  const { mark, isDamaged } = descriptionOf(config);
  return { mark, isDamaged, uuid, hasOurTag, isLater: isOfLaterVersion(config.current['description']) };
}

/** The mark of a configuration, where the guest has its uuid: a copy has the mark of another. */
export function provenMark(config: Pick<GuestConfig, 'current' | 'pending'>): Mark | undefined {
  const mark = markOf(config);
  return mark !== undefined && hasUuidOf(mark, config) ? mark : undefined;
}

/** The mark of a configuration. Undefined: it has none, or one that cannot be read. */
export function markOf(config: Pick<GuestConfig, 'current' | 'pending'>): Mark | undefined {
  return descriptionOf(config).mark;
}

/** Taken apart once for each configuration that was read: whose a guest is, and then what it remembers, stand there. */
const read = new WeakMap<object, Description>();

/** The description of a configuration: our line counts where it is true of the guest. */
export function descriptionOf(config: Pick<GuestConfig, 'current' | 'pending'>): Description {
  const { current } = config;
  const known = read.get(current);
  if (known) return known;
  const description = readDescription(current['description'] ?? '', mark => hasUuidOf(mark, config));
  read.set(current, description);
  return description;
}

/**
 * Whether a guest has the uuid that a mark says: now, or from its next start on, where somebody started it before its
 * first configuration. A copy of it has neither: what waits in a configuration is not copied (behaviour.md §6).
 */
export function hasUuidOf(
  mark: Mark,
  { current, pending }: Pick<GuestConfig, 'current' | 'pending'>,
): boolean {
  const { smbios1 } = pending;
  const next = typeof smbios1 === 'string' ? uuidOf({ smbios1 }) : undefined;
  return [uuidOf(current), next].includes(mark.uuid.toLowerCase());
}

/** The SMBIOS uuid of a configuration, in lower case; undefined when there is none. */
export function uuidOf(current: Record<string, string>): string | undefined {
  const smbios = current['smbios1'];
  if (smbios === undefined) return undefined;
  const uuid = parseProperties(keyRow('smbios1') ?? {}, smbios)['uuid'];
  return uuid === undefined ? undefined : String(uuid).toLowerCase();
}

/** Says something to whoever watches the run. */
export type Warn = (text: string) => void;

/**
 * Reads a guest directly before a write to it: nothing of ours stands between the two requests. Throws `changed` where
 * it is not ours any more, or where another run wrote its mark. `warn` is given where this run has stopped the guest:
 * whoever finds it off is told why.
 */
export async function sameGuest(pve: Pve, guest: ObservedGuest, warn?: Warn): Promise<ObservedGuest> {
  const config = await readConfig(pve, guest);
  const { mark, isDamaged } = descriptionOf(config);
  const place = `guest ${guest.vmid} on ${guest.node}`;
  const isOurs = !isDamaged && isSameMachine(mark, guest.mark) && mark?.entry === guest.mark?.entry;
  if (!isOurs || !hasItsUuid(config, mark, guest)) {
    warn?.(`${place} is not ours any more, and was stopped by this run. It is left alone.`);
    throw changed(guest, `${place} is not ours any more: its mark or its uuid is another`);
  }
  if (!sameMark(mark, guest.mark)) throw changed(guest, `the mark of ${place} was written by another run`);
  return observedGuest(guest, config);
}

/** The same, also where its mark is not the one that was read: a run writes it more than once. */
export async function sameMachine(pve: Pve, guest: ObservedGuest): Promise<ObservedGuest> {
  const config = await readConfig(pve, guest);
  const { mark, isDamaged } = descriptionOf(config);
  if (isDamaged || !isSameMachine(mark, guest.mark) || !hasItsUuid(config, mark, guest))
    throw changed(guest, `guest ${guest.vmid} on ${guest.node} is not ours any more`);
  return observedGuest(guest, config);
}

/** One of these two; undefined where it throws `changed`, or where somebody moved or removed the guest. */
export async function ifSame(reading: Promise<ObservedGuest>): Promise<ObservedGuest | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && (error.kind === 'changed' || error.kind === 'not-found'))
      return undefined;
    throw error;
  }
}

/** The error of a guest that is not as it was read: then it is read and planned anew. */
export function changed({ node, vmid }: GuestAddress, text: string): PveError {
  return new PveError('changed', { method: 'GET', path: `/nodes/${node}/qemu/${vmid}/pending`, text });
}

function isSameMachine(mark: Mark | undefined, before: Mark | undefined): boolean {
  return mark?.owner === before?.owner && mark?.machine === before?.machine && mark?.uuid === before?.uuid;
}

/** Until its first configuration is in effect, a clone has a uuid that nobody chose: then the mark alone tells. */
function hasItsUuid(config: GuestConfig, mark: Mark | undefined, guest: ObservedGuest): boolean {
  if (mark === undefined) return uuidOf(config.current) === uuidOf(guest.current);
  return mark.isUnfinished === true || hasUuidOf(mark, config);
}

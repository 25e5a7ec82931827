import type { Identity } from '../mark/identity';
import type { Evidence } from '../mark/verdict';
import { isOfLaterVersion, readDescription, type Description } from '../mark/description';
import type { Mark } from '../mark/mark';
import { isTaggedAs, splitTags } from '../mark/owner-tag';
import type { ListedGuest, ObservedGuest } from '../observed';
import { uuidOf } from '../guest/uuid';
import type { GuestConfig } from '../pve';

/** What a configuration does not tell of a guest. */
type BesideConfig = Pick<ListedGuest, 'vmid' | 'node' | 'power' | 'still' | 'pool' | 'haManaged'>;

/** One guest as its listing and one read of its configuration give it. */
export function observedGuest(listed: BesideConfig, config: GuestConfig): ObservedGuest {
  const { text, mark } = descriptionOf(config);
  return {
    vmid: listed.vmid,
    node: listed.node,
    digest: config.digest,
    current: config.current,
    pending: config.pending,
    ...(config.forced && { forced: config.forced }),
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

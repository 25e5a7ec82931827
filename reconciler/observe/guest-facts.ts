import type { Evidence, Identity } from '../mark/identity';
import { readDescription, type Description, type Mark } from '../mark/mark';
import type { ListedGuest, ObservedGuest } from '../observed';
import { splitTags } from './cluster';
import { isTaggedAs } from '../mark/owner-tag';
import { keyRow, parseProperties, type GuestConfig } from '../pve';

/** What a configuration does not tell of a guest. */
type Surroundings = Pick<ListedGuest, 'vmid' | 'node' | 'power' | 'pool' | 'haManaged'>;

/** One guest as its listing and one read of its configuration give it. */
export function observedGuest(listed: Surroundings, config: GuestConfig): ObservedGuest {
  const { text, mark: found } = descriptionOf(config.current);
  const mark = found === 'damaged' ? undefined : found;
  return {
    vmid: listed.vmid,
    node: listed.node,
    digest: config.digest,
    current: config.current,
    pending: config.pending,
    power: listed.power,
    lock: config.current['lock'],
    pool: listed.pool,
    haManaged: listed.haManaged,
    template: config.current['template'] === '1',
    description: text,
    mark,
    cloudInitStale: mark?.c === 1,
  };
}

/** What a configuration says about whose guest it is. */
export function evidenceOf(config: GuestConfig, identity: Identity): Evidence {
  const tags = splitTags(config.current['tags'] ?? '');
  const hasOurTag = isTaggedAs(identity)({ tags });
  const mark = markOf(config);
  const isProven = mark !== undefined && mark !== 'damaged' && hasUuidOf(mark, config);
  return { mark, uuid: isProven ? mark.u.toLowerCase() : uuidOf(config.current), hasOurTag };
}

/** The mark of a configuration, `damaged` when our line is there and cannot be read. */
export function markOf({ current }: Pick<GuestConfig, 'current'>): Mark | 'damaged' | undefined {
  return descriptionOf(current).mark;
}

/** The description that was last read: whose a guest is, and then what it remembers, is read in the same one. */
let last: { description: string; read: Description } | undefined;

function descriptionOf({ description = '' }: GuestConfig['current']): Description {
  if (last?.description !== description) last = { description, read: readDescription(description) };
  return last.read;
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
  return [uuidOf(current), next].includes(mark.u.toLowerCase());
}

/** The SMBIOS uuid of a configuration, in lower case; undefined when there is none. */
export function uuidOf(current: Record<string, string>): string | undefined {
  const smbios = current['smbios1'];
  if (smbios === undefined) return undefined;
  const uuid = parseProperties(keyRow('smbios1') ?? {}, smbios)['uuid'];
  return uuid === undefined ? undefined : String(uuid).toLowerCase();
}

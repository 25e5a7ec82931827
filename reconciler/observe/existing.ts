import { closest, type ExistingSpec } from '../../spec';
import { untouched, type Objection } from '../action';
import { splitTags } from '../mark/owner-tag';
import {
  isDown,
  type ListedGuest,
  maySeeAllGuests,
  maySeeGuests,
  type ObservedCluster,
  sightRemedy,
} from '../observed';
import type { GuestConfig } from '../pve';
import { plain } from './refused-guest';

/** Which guests are meant, or why nobody can tell. */
export type Chosen = { guests: ListedGuest[] } | { objection: Objection };

/** The guests that are meant, by their numbers. Pure. `cluster`: with names and tags as the nodes list them now. */
export function chooseExisting(wanted: ExistingSpec, cluster: ObservedCluster): Chosen {
  if (!maySeeGuests(cluster)) return { objection: noSight(wanted, cluster) };
  const guests = cluster.guests.filter(guest => isRead(guest) && isMeant(guest, wanted));
  const isEnough = wanted.allWithTag === undefined ? guests.length > 0 : isListWhole(guests, wanted, cluster);
  if (!isEnough) return { objection: tooFew(wanted, cluster, guests) };
  if (wanted.allWithTag === undefined && guests.length > 1) return { objection: several(wanted, guests) };
  const nameless = cluster.guests.filter(guest => mayBeMeant(guest, wanted));
  if (nameless.length > 0) return { objection: maybeOthers(wanted, guests, nameless) };
  const down = guests.find(({ node }) => isDown(cluster, node));
  if (down) return { objection: onDownNode(down) };
  return { guests: guests.sort((one, other) => one.vmid - other.vmid) };
}

function noSight(wanted: ExistingSpec, cluster: ObservedCluster): Objection {
  const detail = `no guest of the cluster may be seen, so that nobody can tell whether ${whichOne(wanted)} is there.`;
  return untouched('no-sight', detail, sightRemedy(cluster, '/vms, or on /vms/<vmid>,'));
}

function several(wanted: ExistingSpec, guests: readonly ListedGuest[]): Objection {
  const detail = `${guests.length} virtual machines have ${whichOne(wanted)}: ${shortList(guests)}.`;
  return untouched('several-existing', detail, 'Give the vmid of the one that is meant.');
}

function maybeOthers(
  wanted: ExistingSpec,
  guests: readonly ListedGuest[],
  nameless: readonly ListedGuest[],
): Objection {
  const detail = `${shortList(guests)} has ${whichOne(wanted)}, and others may have it, too: Proxmox tells no name of ${shortList(nameless)}.`;
  return untouched(
    'nameless',
    detail,
    'Give the vmid of the one that is meant, or bring the node back. Reading again is safe.',
  );
}

function onDownNode(guest: ListedGuest): Objection {
  const detail = `${plain(guest)} cannot be read: its node is down.`;
  return untouched('node-down', detail, 'Bring the node back. Reading again is safe.');
}

/** Whether a guest, as its configuration says now, is still the one that is meant. */
export function isStillMeant({ current }: GuestConfig, wanted: ExistingSpec): boolean {
  const { name, template } = current;
  return template !== '1' && hasWords({ name, tags: splitTags(current['tags'] ?? '') }, wanted);
}

/**
 * The id of what a desired state only reads and that is this one guest: then nothing destroys it, whoever made it. A list of
 * all guests with a tag says of none of them that it is to be there.
 */
export function readAs(
  guest: ListedGuest,
  states: readonly { existing?: readonly ExistingSpec[] | undefined }[],
): string | undefined {
  const single = states.flatMap(({ existing = [] }) =>
    existing.filter(each => each.allWithTag === undefined),
  );
  // a name that Proxmox does not tell may be that one
  return single.find(each => (isRead(guest) && isMeant(guest, each)) || mayBeMeant(guest, each))?.id;
}

/** What says which guest is meant, in words. */
export function whichOne({ vmid, name, tag, allWithTag }: ExistingSpec): string {
  const words = [
    ...(vmid === undefined ? [] : [`vmid ${vmid}`]),
    ...(name === undefined ? [] : [`name "${name}"`]),
    ...[tag, allWithTag].flatMap(word => (word === undefined ? [] : [`tag "${word}"`])),
  ];
  return words.join(' and ');
}

function isRead({ type, template }: ListedGuest): boolean {
  return type === 'qemu' && !template;
}

function isMeant(guest: ListedGuest, wanted: ExistingSpec): boolean {
  return (wanted.vmid === undefined || guest.vmid === wanted.vmid) && hasWords(guest, wanted);
}

/** Whether a guest whose name Proxmox does not tell would be meant, if it had that name. */
function mayBeMeant(guest: ListedGuest, wanted: ExistingSpec): boolean {
  const { name } = wanted;
  return (
    name !== undefined && guest.name === undefined && isRead(guest) && isMeant({ ...guest, name }, wanted)
  );
}

function hasWords(
  guest: { name: string | undefined; tags: readonly string[] },
  { name, tag, allWithTag }: ExistingSpec,
): boolean {
  const tags = [tag, allWithTag].filter(word => word !== undefined);
  return (name === undefined || guest.name === name) && tags.every(word => guest.tags.includes(word));
}

/** A tag in other letters is a mistake that an empty list would hide. */
function isListWhole(
  guests: readonly ListedGuest[],
  { allWithTag = '', atLeast = 0 }: ExistingSpec,
  cluster: ObservedCluster,
): boolean {
  if (guests.length > 0) return guests.length >= atLeast;
  return atLeast === 0 && inOtherLetters(allWithTag, cluster) === undefined;
}

function inOtherLetters(tag: string, { guests }: ObservedCluster): string | undefined {
  const all = guests.flatMap(({ tags }) => tags);
  return all.find(word => word !== tag && word.toLowerCase() === tag.toLowerCase());
}

function tooFew(wanted: ExistingSpec, cluster: ObservedCluster, found: readonly ListedGuest[]): Objection {
  const { allWithTag, atLeast = 0 } = wanted;
  const few =
    allWithTag !== undefined && found.length > 0
      ? `only ${found.length} of at least ${atLeast} virtual machines have ${whichOne(wanted)}: ${shortList(found)}.`
      : `no virtual machine has ${whichOne(wanted)}.`;
  const hidden = maySeeAllGuests(cluster)
    ? ''
    : ' Guests may be hidden from this caller: it sees those on which it has VM.Audit.';
  const detail = `${few}${nearOnes(wanted, cluster, found)}${nodesDown(wanted, cluster)}${hidden}`;
  return untouched('not-existing', detail, 'Say another one, or bring it back. Running again is safe.');
}

/** Guests that come near to what is meant. */
function nearOnes(wanted: ExistingSpec, cluster: ObservedCluster, found: readonly ListedGuest[]): string {
  const { vmid, name, tag, allWithTag = tag } = wanted;
  const near = cluster.guests.filter(
    guest =>
      !found.some(other => other.vmid === guest.vmid) &&
      (guest.vmid === vmid ||
        (name !== undefined && guest.name === name) ||
        (allWithTag !== undefined && guest.tags.includes(allWithTag))),
  );
  if (near.length > 0)
    return ` There is ${shortList(near)}.${near.every(isRead) ? '' : ' Templates and containers are not read.'}`;
  const letters = allWithTag === undefined ? undefined : inOtherLetters(allWithTag, cluster);
  if (letters !== undefined) return ` There is the tag "${letters}": Proxmox tells letters apart here.`;
  const names = cluster.guests.filter(isRead).flatMap(guest => guest.name ?? []);
  const meant = name === undefined ? undefined : closest(name, names);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Proxmox does not know the names of guests on a node that is down. */
function nodesDown({ name: wanted }: ExistingSpec, { nodes }: ObservedCluster): string {
  const down = nodes.filter(({ online }) => !online).map(({ name }) => name);
  if (wanted === undefined || down.length === 0) return '';
  return ` The names of guests on nodes that are down are not known: ${down.join(', ')}.`;
}

const MOST_SHOWN = 10;

function shortList(guests: readonly ListedGuest[]): string {
  const more = guests.length - MOST_SHOWN;
  const shown = guests.slice(0, MOST_SHOWN).map(plain).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}

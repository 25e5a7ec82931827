import type { Identity } from '../mark/identity';
import { isOwnerTag, ownerTag } from '../mark/owner-tag';
import type { ListedGuest } from '../observed';

type Guests = readonly ListedGuest[];

/** One listing, by what guests are looked for. Each part is made when it is first asked for. */
class GuestIndex {
  private tags: Map<string, ListedGuest[]> | undefined;
  private names: Map<string, ListedGuest[]> | undefined;
  private ids: Map<number, ListedGuest> | undefined;

  constructor(private readonly guests: Guests) {}

  withTag(tag: string): Guests {
    this.tags ??= grouped(this.guests, ({ tags }) => tags);
    return this.tags.get(tag) ?? [];
  }

  withName(text: string): Guests {
    this.names ??= grouped(this.guests, ({ name }) => (name === undefined ? [] : [name]));
    return this.names.get(text) ?? [];
  }

  withId(vmid: number): ListedGuest | undefined {
    this.ids ??= new Map(this.guests.map(guest => [guest.vmid, guest]));
    return this.ids.get(vmid);
  }
}

/** A listing never changes once it is read. Thousands of machines are looked for in the same one. */
const indexes = new WeakMap<Guests, GuestIndex>();

/** The guests that carry the tag of a machine, by one of the ids that it has or had; by their own ids. */
export function taggedAs(guests: Guests, { owner, ids }: Pick<Identity, 'owner' | 'ids'>): ListedGuest[] {
  const found = ids.flatMap(id => indexOf(guests).withTag(ownerTag(owner, id)));
  return [...new Set(found)].sort((one, other) => one.vmid - other.vmid);
}

/** The guests with a tag of ours, of any owner, except those with a tag in `but`. Their marks tell whose they are. */
export function tagged(guests: Guests, but: ReadonlySet<string> = new Set()): ListedGuest[] {
  return guests.filter(
    ({ type, tags }) => type === 'qemu' && tags.some(isOwnerTag) && !tags.some(tag => but.has(tag)),
  );
}

export function namedAs(guests: Guests, name: string): Guests {
  return indexOf(guests).withName(name);
}

export function guestWithId(guests: Guests, vmid: number | undefined): ListedGuest | undefined {
  return vmid === undefined ? undefined : indexOf(guests).withId(vmid);
}

function indexOf(guests: Guests): GuestIndex {
  const index = indexes.get(guests) ?? new GuestIndex(guests);
  indexes.set(guests, index);
  return index;
}

function grouped(
  guests: Guests,
  keysOf: (guest: ListedGuest) => readonly string[],
): Map<string, ListedGuest[]> {
  const groups = new Map<string, ListedGuest[]>();
  for (const guest of guests)
    for (const key of new Set(keysOf(guest))) {
      const group = groups.get(key);
      if (group) group.push(guest);
      else groups.set(key, [guest]);
    }
  return groups;
}

import type { DesiredState, Losses, MachineSpec } from '../../../spec';
import type { Identity } from '../../mark/identity';
import { isOfImage } from '../../mark/image-words';
import { isOwnerTag, ownerTag } from '../../mark/owner-tag';
import { observedGuest, provenMark } from '../../observe/guest';
import { readAs } from '../../observe/existing';
import { tagged } from '../../observe/tagged-guests';
import { findDoubles, type Double, type Marked } from './doubles';
import { generationOf } from '../../guest/generation';
import { lossesNow } from './losses-now';
import { counted } from '../../errors';
import { destroyRefusals, whyItStays } from '../../plan/why-it-stays';
import { preflightDestroy } from '../../plan/preflight';
import type { Refusal } from '../../action';
import { isDown, type ListedGuest, type ObservedCluster } from '../../observed';
import { isOneLess, readConfig, type GuestAddress, type GuestConfig, type Pve } from '../../pve';

/** A guest of an owner of ours that no machine of the desired state asks for any more. */
export interface Orphan {
  owner: string;
  machine: string;
  vmid: number;
  node: string;
  /** The Terraform entry that holds it. */
  entry?: string;
  /** What goes with it, where it was read by this look. Not told of what a Terraform entry holds. */
  losses?: Losses;
  /** The generation that it had then: what names its disks is true of no other one. */
  generation?: string;
  /** The source that wrote it last; absent: its mark names none. */
  source?: string;
  /** An image made it, and its id says of what. */
  isOfImage?: true;
  /** A desired state only reads it, as `existing` of this id: it stays. */
  readAs?: string;
  /** Of a template, its linked clones that are known: it stays as long as they do. */
  clones?: number[];
  /** Why its destroy would be refused, where it was read by this look. Not told of what a Terraform entry holds. */
  refusals?: Refusal[];
}

/** Destroyed only while its mark names the source by which that was decided. */
export function identityOfOrphan({ owner, machine, source }: Orphan): Identity {
  return { owner, ids: [machine], writtenBy: source ?? null };
}

type Remembered = Pick<Orphan, 'owner' | 'machine' | 'entry' | 'source' | 'isOfImage'> | 'not ours';
type WantedIds = Pick<DesiredState, 'owner'> &
  Partial<Pick<DesiredState, 'existing'>> & { machines: readonly Pick<MachineSpec, 'id' | 'formerIds'>[] };

/** `readers`: whose `existing` keeps a guest. Absent: that of the same states. */
interface Look {
  whose?: 'ours' | 'of-others';
  readers?: readonly Pick<WantedIds, 'existing'>[];
}

/** Guests that are read in one go; the others follow in the next. */
const MOST = 200;

/** One that could not be read. `why`: what was answered, where its node is up and the caller may see it. */
export interface UnreadGuest extends GuestAddress {
  why?: string;
}

/** Finds orphans by tag, mark and uuid. Remembers whom it has read, as long as it has that tag. */
export class Orphans {
  private known = new Map<string, Remembered>();
  // not remembered: protection and privileges change
  private refusals = new Map<string, Refusal[]>();
  private losses = new Map<string, Pick<Orphan, 'losses' | 'generation'>>();
  /** Those whose memory is no longer to be trusted, by their number. */
  private readonly stale = new Set<number>();

  /** How many guests with a tag of ours the last look did not read: any of them may be an orphan. */
  unread = 0;

  /** The guests with a tag of ours that could not be read: any of them may be an orphan, of this owner or another. */
  unreadable: UnreadGuest[] = [];

  /** Second guests of machines that are wanted: no orphans, and nobody destroys them. */
  doubles: Double[] = [];

  /** `withKept`: volumes that were kept go with them. Absent: where their marks say so. */
  constructor(
    private readonly most = MOST,
    private readonly withKept?: boolean,
  ) {}

  /** Reads only. What a destroy may do, it decides itself, by a reading of its own. */
  async find(
    pve: Pve,
    cluster: ObservedCluster,
    states: readonly WantedIds[],
    { whose = 'ours', readers = states }: Look = {},
  ): Promise<Orphan[]> {
    const wanted = new Set(states.flatMap(tagsOf));
    const strays = tagged(cluster.guests, wanted);
    const kept = new Map<string, Remembered>();
    const unread: ListedGuest[] = [];
    for (const guest of strays) {
      const remembered = this.known.get(keyOf(guest));
      if (remembered === undefined || this.stale.has(guest.vmid)) unread.push(guest);
      else kept.set(keyOf(guest), remembered);
    }
    this.stale.clear();
    this.known = kept;
    this.refusals = new Map();
    this.losses = new Map();
    this.unreadable = [];
    this.unread = Math.max(0, unread.length - this.most);
    await Promise.all(unread.slice(0, this.most).map(guest => this.read(pve, guest, cluster)));
    const marked = this.markedOf(strays);
    this.doubles = whose === 'ours' ? await findDoubles(pve, cluster, states, marked) : [];
    const owners = new Set(states.map(({ owner }) => owner));
    return marked.flatMap(({ guest, ...told }) => {
      // PVE: a rollback brings back the tag of an id or an owner that it had before, and keeps the mark (behaviour.md §14.5)
      if (wanted.has(ownerTag(told.owner, told.machine))) return [];
      if (owners.has(told.owner) !== (whose === 'ours')) return [];
      const refusals = this.refusals.get(keyOf(guest));
      const losses = this.losses.get(keyOf(guest));
      const read = readAs(guest, readers);
      const found = {
        ...told,
        vmid: guest.vmid,
        node: guest.node,
        ...(read !== undefined && { readAs: read }),
      };
      return [{ ...found, ...losses, ...(refusals && { refusals }) }];
    });
  }

  /** The next look reads it anew: what was known of it may be true no more, as a destroy found. */
  forget({ vmid }: Pick<Orphan, 'vmid'>): void {
    this.stale.add(vmid);
  }

  /** Those that prove to be ours, and what they are. */
  private markedOf(strays: readonly ListedGuest[]): (Exclude<Remembered, 'not ours'> & Marked)[] {
    return strays.flatMap(guest => {
      const told = this.known.get(keyOf(guest));
      return told === undefined || told === 'not ours' ? [] : [{ ...told, guest }];
    });
  }

  private async read(pve: Pve, guest: ListedGuest, cluster: ObservedCluster): Promise<void> {
    if (isDown(cluster, guest.node)) return void this.unreadable.push({ vmid: guest.vmid, node: guest.node });
    try {
      const config = await readConfig(pve, guest);
      const mark = provenMark(config);
      // what has no uuid of ours is a copy, or half made by somebody at work
      if (mark === undefined) return void this.known.set(keyOf(guest), 'not ours');
      const { owner, machine, entry, source } = mark;
      if (entry === undefined) await this.readFate(pve, { guest, config, machine }, cluster);
      // last: what could not be read to the end is no orphan of this look
      this.known.set(keyOf(guest), {
        ...{ owner, machine },
        ...(entry !== undefined && { entry }),
        ...(source !== undefined && { source }),
        ...(isOfImage(mark) && { isOfImage: true }),
      });
    } catch (error) {
      // went or moved since it was listed, out of reach, or not to be seen: the next round reads it
      if (!isOneLess(error)) throw error;
      const why = error.kind === 'unreachable' || error.kind === 'denied' ? {} : { why: error.said };
      if (error.kind !== 'not-found') this.unreadable.push({ vmid: guest.vmid, node: guest.node, ...why });
    }
  }

  /** What goes with it, and what speaks against its destroy. */
  private async readFate(
    pve: Pve,
    { guest, config, machine }: { guest: ListedGuest; config: GuestConfig; machine: string },
    cluster: ObservedCluster,
  ): Promise<void> {
    const there = observedGuest(guest, config);
    const denied = (): Refusal[] => preflightDestroy(machine, there, cluster);
    const stays = whyItStays(there, denied, { withKept: this.withKept });
    const generation = generationOf(config.current);
    const losses = await lossesNow(pve, there);
    this.losses.set(keyOf(guest), { losses, ...(generation !== undefined && { generation }) });
    if (stays) this.refusals.set(keyOf(guest), destroyRefusals(machine, guest, stays));
  }
}

function tagsOf({ owner, machines }: WantedIds): string[] {
  return machines.flatMap(({ id, formerIds = [] }) => [id, ...formerIds].map(each => ownerTag(owner, each)));
}

/** How many guests could not be read, and where they are. Undefined: all could. */
export function unreadableText(guests: readonly UnreadGuest[]): string | undefined {
  if (guests.length === 0) return undefined;
  const places = guests.map(({ vmid, node }) => `VM ${vmid} on ${node}`).join(', ');
  const told = guests.find(({ why }) => why !== undefined);
  const isAway = guests.some(({ why }) => why === undefined);
  const answered = told ? `Proxmox answered for VM ${told.vmid}: ${told.why} ` : '';
  const until = [
    ...(isAway ? ['the node is up and the guest may be seen'] : []),
    ...(told ? ['that is mended'] : []),
  ];
  const when = `${answered}Run again when ${until.join(', and ')}; it is safe.`;
  return `${counted(guests.length, 'guest', 'guests')} with a tag of ours could not be read, and may be orphans: ${places}. ${when}`;
}

function keyOf({ vmid, tags }: ListedGuest): string {
  return `${vmid} ${tags.filter(isOwnerTag).join(' ')}`;
}

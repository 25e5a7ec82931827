import type { GuestPlace } from '../../action';
import type { Run } from '../../run/run';
import { evidenceOf, observedGuest } from '../../observe/guest';
import { guestWithId } from '../../observe/tagged-guests';
import type { Identity } from '../../mark/identity';
import { verdictOn } from '../../mark/verdict';
import { writeDescription } from '../../mark/description';
import type { ListedGuest, ObservedGuest, ObservedMachine } from '../../observed';
import { isOwnerTag, isTaggedAs } from '../../mark/owner-tag';
import { PveError, readConfig, writeConfig, onFailure } from '../../pve';
import { nameAmongAll } from '../../run/made-ids';
import { removeLoser } from './remove-loser';
import type { Waiting } from '../../waits/waiting';

/** Another guest of the machine, made by another run. */
interface Rival {
  guest: ObservedGuest;
  isFinished: boolean;
}

/**
 * Makes sure that a machine which several runs make at once is one guest (ADR 0012). An id is no lock: it is another one
 * as soon as somebody else creates too. Two runs that change a machine which is there meet in observe/same-guest.ts and in
 * the digest of each write.
 */
export class Rivals {
  /** What this process made, as it was read right after that. */
  private made: ObservedGuest | undefined;
  /** What it last began to make, until the first look for rivals. */
  private begun: { vmid: number; at: number } | undefined;
  /** A winner was seen over what is unfinished here. */
  private hasLost = false;
  /** The guests that were there when the machine was last looked for: none that was whole is a rival. */
  private known: readonly ListedGuest[] = [];
  /** Asked of each guest that is listed: the sums of the ids are made once. */
  private readonly isTagged: ReturnType<typeof isTaggedAs>;

  constructor(
    private readonly run: Run,
    private readonly identity: Identity,
    /** The machine is cloned from a machine: its clone carries the tags of that one at first. */
    private readonly copiesTags: boolean,
    private readonly waiting: Waiting,
  ) {
    this.isTagged = isTaggedAs(identity);
  }

  /** This process made the guest, and has read it. */
  isMade(guest: ObservedGuest): void {
    this.made = guest;
    const { madeIds } = this.run.shared;
    madeIds.begins(guest.vmid, this.run, nameAmongAll(this.identity));
    madeIds.isThere(guest.vmid);
  }

  /** Proxmox makes a guest for this machine: no other machine of this process has to look at it. */
  isMaking(vmid: number): void {
    this.begun = { vmid, at: performance.now() };
    this.run.shared.madeIds.begins(vmid, this.run, nameAmongAll(this.identity));
  }

  /** What it made has had its first configuration: nobody's copy makes it one too many. */
  isConfigured(): void {
    this.made = undefined;
  }

  /** The machine was looked for among these. */
  sought(guests: readonly ListedGuest[]): void {
    this.known = guests;
  }

  /**
   * The guest that is the machine in the place of this unfinished one; undefined: this one may have its first
   * configuration, written with the digest that was read before this call. `again`: look once more.
   */
  async winnerOver(guest: ObservedGuest): Promise<GuestPlace | 'again' | undefined> {
    if (this.made !== undefined && this.isCopy(guest, this.made)) return 'again';
    const listed = await this.listAfter(guest);
    // a listing that shows this guest shows all that were made before it
    if (!listed.some(({ vmid }) => vmid === guest.vmid)) {
      this.waiting.inRounds(`the list of the cluster to show VM ${guest.vmid} (GET /cluster/resources)`);
      return 'again';
    }
    const rivals = await this.among(listed, guest);
    const winner =
      rivals.find(({ isFinished }) => isFinished) ?? rivals.find(rival => rival.guest.vmid < guest.vmid);
    this.hasLost = winner !== undefined;
    if (winner) return winner.guest;
    for (const rival of rivals) if (!(await this.overrule(rival.guest, guest))) return 'again';
    return undefined;
  }

  /** Removes what this process made, when another guest is the machine. A refusal alone proves no rival. */
  async giveWayTo(have: ObservedMachine): Promise<void> {
    const { made } = this;
    if (made === undefined || !this.isOther(have, made)) return;
    this.made = undefined;
    this.run.shared.madeIds.forget(made.vmid);
    await removeLoser(this.run, this.identity.ids[0], made);
  }

  /**
   * A listing that shows all that was made before this guest. One that somebody else has just read will do, where it
   * shows this guest without the lock of its making, and no rival has written to it before it was read.
   */
  private async listAfter({ vmid, mark }: ObservedGuest): Promise<ListedGuest[]> {
    const { begun, run } = this;
    this.begun = undefined;
    const just =
      begun?.vmid === vmid && mark?.replacedBy === undefined && (await run.reading.listedSince(begun.at));
    const own = just && guestWithId(just, vmid);
    return just && own && own.lock === undefined ? just : run.reading.listNow();
  }

  private isOther(have: ObservedMachine, made: ObservedGuest): boolean {
    if (!('guest' in have)) return have.kind === 'refused' && this.hasLost;
    return have.guest.vmid !== made.vmid && !this.isCopy(have.guest, made);
  }

  /** Each run chooses a uuid of its own: another guest with that of ours is somebody's copy. */
  private isCopy({ vmid, mark }: ObservedGuest, made: ObservedGuest): boolean {
    return vmid !== made.vmid && mark?.uuid === made.mark?.uuid;
  }

  private async among(listed: readonly ListedGuest[], own: ObservedGuest): Promise<Rival[]> {
    const candidates = listed.filter(each => each.vmid !== own.vmid && this.mayBeRival(each));
    const rivals = await Promise.all(candidates.map(each => this.look(each)));
    return rivals
      .filter(rival => rival !== undefined)
      .filter(({ guest, isFinished }) => isFinished || guest.mark?.uuid !== own.mark?.uuid)
      .sort((one, other) => one.guest.vmid - other.guest.vmid);
  }

  /** Our tag tells. Without it, what came since. Who is still being made looks later, and then sees this one. */
  private mayBeRival({ type, vmid, name, tags, lock }: ListedGuest): boolean {
    if (type !== 'qemu') return false;
    if (this.isTagged({ tags })) return true;
    const known = guestWithId(this.known, vmid);
    const isKnown = known !== undefined && known.lock === undefined && known.name === name;
    return lock === undefined && !isKnown && (this.copiesTags || !tags.some(isOwnerTag));
  }

  private async look(listed: ListedGuest): Promise<Rival | undefined> {
    const { entry: _, ...anyEntry } = this.identity;
    const { madeIds } = this.run.shared;
    const isTagged = this.isTagged(listed);
    if (!isTagged && (await madeIds.isForAnother(listed.vmid, nameAmongAll(anyEntry)))) return undefined;
    try {
      const config = await readConfig(this.run.pve, listed);
      const verdict = verdictOn(evidenceOf(config, anyEntry), anyEntry);
      const guest = observedGuest(listed, config);
      if (verdict === 'ours') return { guest, isFinished: true };
      return verdict === 'unfinished' && guest.lock === undefined ? { guest, isFinished: false } : undefined;
    } catch (error) {
      // gone or moved since, or its node does not answer: ADR 0012 says what follows from that
      if (onFailure(error, 'rival') === 'overlook') return undefined;
      throw error;
    }
  }

  /** Tells an unfinished rival that it lost. Its digest changes by that, so that its own run cannot finish it any more. */
  private async overrule(rival: ObservedGuest, { vmid }: ObservedGuest): Promise<boolean> {
    const { mark, description, digest } = rival;
    if (mark === undefined || mark.replacedBy === vmid) return true;
    try {
      const said = writeDescription(description, { ...mark, replacedBy: vmid });
      await writeConfig(this.run.pve, rival, { description: said, digest });
      return true;
    } catch (error) {
      if (!(error instanceof PveError)) throw error;
      // told once; the pauses grow, and the time bounds it
      this.waiting.disturbed(error);
      return false;
    }
  }
}

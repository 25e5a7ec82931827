import { isAlwaysLive } from '../guest/key-kinds';
import { type Action, type GuestPlace, writtenKeys } from '../action';
import type { ChosenId } from './claim/chosen-id';
import type { Rivals } from './claim/rivals';
import { KnownFacts, WHY_LOOK } from '../machine/facts';
import { isTaggedAs } from '../mark/owner-tag';
import { verdictOn } from '../mark/verdict';
import { evidenceOf, observedGuest } from '../observe/guest';
import { ifSeen } from '../observe/if-allowed';
import type { ListedGuest, ObservedMachine } from '../observed';
import { sourceCandidates } from '../placement/source';
import type { FactsInToken } from '../plan/shown/token';
import { readConfig, readStatus } from '../pve';
import { knownSource } from '../run/place/place-of-new';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';

type InToken<Found extends FactsInToken['found']> = Extract<FactsInToken, { found: Found }>;

/**
 * The facts that an apply of Terraform begins with: those in the token of its plan (plan/shown/token.ts), as long as they
 * hold and nothing else of the cluster was read. Once that is read, they count no more.
 */
export class TokenFacts {
  /** Its node has said in this run that it is off. */
  private isOff = false;

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly chosenId: ChosenId,
    private readonly rivals: Rivals,
  ) {}

  private get inToken(): FactsInToken | undefined {
    return this.run.isRead ? undefined : this.wanted.factsInToken;
  }

  /** Where the machine is. Undefined: it is absent, or the token does not say. */
  get place(): GuestPlace | undefined {
    return this.inToken?.found === 'absent' ? undefined : this.inToken;
  }

  /** The machine, read where the token says. Undefined: that is not enough; then all is read. */
  async machine(): Promise<ObservedMachine | undefined> {
    const { inToken } = this;
    if (inToken === undefined) return undefined;
    return inToken.found === 'absent' ? this.absent(inToken) : this.there(inToken);
  }

  /** What a plan begins with: where a new machine is put; and that no destroy of one that is off failed before it. */
  async toBeginWith(have: ObservedMachine): Promise<KnownFacts> {
    const { inToken, run, wanted } = this;
    const known = new KnownFacts();
    if (inToken?.found === 'stopped') known.set('goneVolumes', WHY_LOOK.afterFailedDestroy, []);
    if (have.kind !== 'absent' || inToken?.found !== 'absent') return known;
    const { node, vmid, source } = inToken;
    const made = { node, vmid: this.chosenId.planned(vmid) };
    const from = source && (await knownSource(run.places, wanted.spec, { ...source, goesTo: node }));
    known.set('place', '', { ...made, ...(from && { source: from }) });
    return known;
  }

  /**
   * Whether a machine that the token says is off still is, before more is done to it than live writes: somebody may have
   * started it since, and then its changes cost more. Where the plan costs a running one the same, nobody asks.
   */
  async isOffAsTold(have: ObservedMachine, actions: readonly Action[]): Promise<boolean> {
    if (this.inToken?.found !== 'stopped' || have.kind !== 'present') return true;
    if (this.isOff || actions.every(isLiveWrite)) return true;
    this.isOff = (await ifSeen(readStatus(this.run.pve, have.guest)))?.status === 'stopped';
    return this.isOff;
  }

  /** Undefined: it is not there, not certainly ours, or locked; then all is read, which tells why. */
  private async there({
    vmid,
    node,
    found,
    pool,
  }: InToken<'running' | 'stopped'>): Promise<ObservedMachine | undefined> {
    const { identity } = this.wanted;
    const config = await ifSeen(readConfig(this.run.pve, { vmid, node }));
    if (config === undefined || verdictOn(evidenceOf(config, identity), identity) !== 'ours')
      return undefined;
    // a machine that says something about HA reads the cluster (plan/plan.ts); of another one nothing asks for it
    const guest = observedGuest({ vmid, node, power: found, pool, haManaged: false }, config);
    if (guest.lock !== undefined || guest.template) return undefined;
    return { kind: 'present', guest, unfinished: false };
  }

  private async absent(inToken: InToken<'absent'>): Promise<ObservedMachine | undefined> {
    // a rival is looked for again once there is a guest (ADR 0012)
    const { guests, downNodes } = await this.run.reading.listRecently();
    // whoever has no name in the listing yet was not told from a rival
    this.rivals.sought(guests.filter(({ name }) => name !== undefined));
    // a node that went down since the plan: placed anew, or refused, with all of the cluster read
    if ([inToken.node, inToken.source?.node].some(node => node !== undefined && downNodes.includes(node)))
      return undefined;
    return isStillAbsent(inToken, this.wanted, guests) ? { kind: 'absent' } : undefined;
  }
}

/** Whether an action is a write that is in effect at once, whether the guest runs or not. */
function isLiveWrite(action: Action): boolean {
  return action.kind === 'configure' && writtenKeys(action).every(isAlwaysLive);
}

/**
 * Whether a listing shows that a machine is still to be made as the plan said: nothing has its tag, its name or its
 * id, and what it is cloned from is where it was. An earlier run of it that was cut short is known to the plan; one
 * that has the same plan takes the same id; a run at the same time is met as a rival (ADR 0012).
 */
function isStillAbsent(
  { vmid, source }: InToken<'absent'>,
  { spec, identity }: Wanted,
  guests: readonly ListedGuest[],
): boolean {
  const isOurs = isTaggedAs(identity);
  const name = spec.name ?? spec.id;
  const isInTheWay = (guest: ListedGuest): boolean =>
    guest.vmid === vmid || guest.name === name || isOurs(guest);
  // an empty list is never proof of absence: without the privilege Proxmox lists nothing
  if (guests.length === 0 || guests.some(isInTheWay) || spec.image?.machine !== undefined) return false;
  const sources = sourceCandidates(spec, guests, identity.owner);
  if (!('guests' in sources)) return false;
  if (source === undefined) return sources.guests.length === 0;
  const there = sources.guests.find(guest => guest.vmid === source.vmid && guest.node === source.node);
  return there?.template === true && there.lock === undefined;
}

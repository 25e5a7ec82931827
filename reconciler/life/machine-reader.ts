import type { GuestPlace, MachinePlan } from '../action';
import type { DoneSoFar } from './done-so-far';
import type { Run } from '../run/run';
import { evidenceOf, observedGuest } from '../observe/guest';
import { ifSame, sameGuest, sameMachine } from '../observe/same-guest';
import { isUnfinished, verdictOn } from '../mark/verdict';
import { ifSeen } from '../observe/if-allowed';
import { NameIndex } from '../observe/name-index';
import { observeMachine } from '../observe/machine';
import type { Sought } from '../observe/sought';
import type { ListedGuest, ObservedGuest, ObservedMachine } from '../observed';
import { isTaggedAs } from '../mark/owner-tag';
import { taggedAs } from '../observe/tagged-guests';
import { sameMarkButLost } from '../mark/mark';
import { nodesWhereMade } from '../run/reads/nodes-where-made';
import { tellOfLeftovers } from '../run/reads/leftovers';
import { sourceCandidates } from '../placement/source';
import { powerWanted } from '../plan/power-actions';
import type { ToldByPlan } from '../plan/shown/token';
import { readConfig, type Pve } from '../pve';
import type { Rivals } from './claim/rivals';
import type { Wanted } from '../run/wanted';

/** Reads one machine, as often as a run needs it. Waits for nothing. */
export class MachineReader {
  private last: GuestPlace | undefined;

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly rivals: Rivals,
    private readonly done: DoneSoFar,
  ) {}

  /** Where the machine was last seen. */
  get lastPlace(): GuestPlace | undefined {
    return this.last;
  }

  /** From now on the machine is looked for here first. */
  seenAt(place: GuestPlace): void {
    this.last = place;
  }

  /** Reads the machine for the first time, as it is now. */
  async observe(): Promise<ObservedMachine> {
    const asTold = await this.asTold();
    if (asTold) return asTold;
    await this.run.read();
    const have = await this.look(this.run.names);
    await tellOfLeftovers(this.run, this.wanted, have);
    return have;
  }

  /** Reads the cluster again, then the machine: after anything that came between. */
  async observeAnew(): Promise<ObservedMachine> {
    await this.run.refresh();
    return this.look(new NameIndex(this.run.pve, this.run.cluster));
  }

  /** Reads the guest after a round that went well: one request, unless somebody else has come between. */
  async afterRound(plan: MachinePlan, guest: ObservedGuest | undefined): Promise<ObservedMachine> {
    if (!guest || plan.actions.some(({ kind }) => kind === 'destroy')) return this.observeAnew();
    const isMade = plan.actions.some(({ kind }) => kind === 'create' || kind === 'clone');
    const read = await ifSame(sameGuest(this.run.pve, guest));
    if (!read) {
      if (isMade) await this.rememberLoser(guest);
      return this.observeAnew();
    }
    const seen = { ...read, cloudInitStale: isStaleAfter(plan, read) };
    if (isMade && this.done.hasMade(seen)) this.rivals.isMade(seen);
    return this.present(seen);
  }

  /** The guest after a round that ended with its start, and read it directly before. Reads nothing. */
  afterStart(plan: MachinePlan, read: ObservedGuest): ObservedMachine {
    return this.present({ ...read, power: 'running', cloudInitStale: isStaleAfter(plan, read) });
  }

  private present(guest: ObservedGuest): ObservedMachine {
    return { kind: 'present', guest, unfinished: isUnfinished(evidenceOf(guest, this.wanted.identity)) };
  }

  /** The machine as Terraform's plan told of it, as long as it is so and nothing else of the cluster was read. */
  private async asTold(): Promise<ObservedMachine | undefined> {
    const { run, wanted } = this;
    const { told } = wanted;
    if (run.isRead || told === undefined) return undefined;
    if (told.found !== 'absent') {
      this.last = told;
      return readThere(run.pve, told, wanted);
    }
    // a rival is looked for again once there is a guest (ADR 0012)
    const { guests, downNodes } = await run.reading.listRecently();
    // whoever has no name in the listing yet was not told from a rival
    this.rivals.sought(guests.filter(({ name }) => name !== undefined));
    // a node that went down since the plan: placed anew, or refused, with all of the cluster read
    if ([told.node, told.source?.node].some(node => node !== undefined && downNodes.includes(node)))
      return undefined;
    return isStillAbsent(told, wanted, guests) ? { kind: 'absent' } : undefined;
  }

  /** A rival may have told it that it lost before it was read once: it is ours to remove all the same. */
  private async rememberLoser(guest: ObservedGuest): Promise<void> {
    const seen = await ifSame(sameMachine(this.run.pve, guest));
    if (seen?.mark?.replacedBy === undefined || !guest.mark || !this.done.hasMade(seen)) return;
    if (sameMarkButLost(seen.mark, guest.mark)) this.rivals.isMade(seen);
  }

  private async look(names: NameIndex): Promise<ObservedMachine> {
    const { spec, identity, staying } = this.wanted;
    const seen = {
      ...(this.last === undefined ? {} : { seenAs: this.last.vmid }),
      ...(staying === undefined ? {} : { staying }),
    };
    const heals = this.wanted.only === undefined;
    const common = { identity, vmid: spec.vmid, adopt: spec.adopt ?? false, toCreate: this.run.marks, heals };
    const size = spec.memory === undefined ? {} : { memory: spec.memory };
    const sought = { ...common, ...size, name: spec.name ?? spec.id, ...seen };
    this.rivals.sought(this.run.cluster.guests);
    const have = await this.find(sought, names);
    if (have.kind !== 'present' && have.kind !== 'adoptable') return have;
    this.last = have.guest;
    return { ...have, guest: { ...have.guest, ...(await this.powerOf(have.guest, names)) } };
  }

  /**
   * The cluster's listing tells it up to ten seconds late, and not whether a guest that runs stands still: its node is asked.
   * Not by who only reads, of a guest that is off and is to be.
   */
  private async powerOf(
    guest: ObservedGuest,
    names: NameIndex,
  ): Promise<Pick<ObservedGuest, 'power' | 'still'>> {
    const { onlyReads, clusterTasks } = this.run;
    const isOff = guest.power === 'stopped' && powerWanted(this.wanted.spec) === 'stopped';
    if (onlyReads && isOff && (await clusterTasks.confirms(guest))) return { power: guest.power };
    const { power, still } = (await names.at(guest)) ?? guest;
    return { power, still };
  }

  /** Before the machine is said to be absent, the tasks that may make it are known. */
  private async find(sought: Sought, names: NameIndex): Promise<ObservedMachine> {
    const { pve, cluster, runningTasks } = this.run;
    const tagged = taggedAs(cluster.guests, sought.identity);
    if (!this.run.onlyReads) names.ahead(tagged);
    const have = tagged.length > 0 && (await observeMachine(pve, cluster, sought, names));
    if (have && have.kind !== 'absent') return have;
    await runningTasks.readOn(await nodesWhereMade(this.run, this.wanted));
    return observeMachine(pve, cluster, sought, have ? names.afresh() : names);
  }
}

/** Whether a round which went well leaves a cloud-init drive that lags: PVE makes it anew at each start, too. */
function isStaleAfter({ actions }: MachinePlan, read: ObservedGuest): boolean {
  const isFresh = actions.some(
    action =>
      action.kind === 'regenerate-cloud-init' ||
      action.kind === 'restart' ||
      (action.kind === 'power' && action.to === 'running'),
  );
  return read.cloudInitStale === true && !isFresh;
}

/**
 * Reads one machine where Terraform's plan found it, and nothing else. Undefined: it is not there, not certainly ours,
 * or locked; then all is read, which tells why.
 */
async function readThere(
  pve: Pve,
  { vmid, node, found, pool }: Exclude<ToldByPlan, { found: 'absent' }>,
  { identity }: Wanted,
): Promise<ObservedMachine | undefined> {
  const config = await ifSeen(readConfig(pve, { vmid, node }));
  if (config === undefined || verdictOn(evidenceOf(config, identity), identity) !== 'ours') return undefined;
  // a machine that says something about HA reads the cluster (needsNoCluster); of another one nothing asks for it
  const guest = observedGuest({ vmid, node, power: found, pool, haManaged: false }, config);
  if (guest.lock !== undefined || guest.template) return undefined;
  return { kind: 'present', guest, unfinished: false };
}

/**
 * Whether a listing shows that a machine is still to be made as the plan said: nothing has its tag, its name or its
 * id, and what it is cloned from is where it was. An earlier run of it that was cut short is known to the plan; one
 * that has the same plan takes the same id; a run at the same time is met as a rival (ADR 0012).
 */
function isStillAbsent(
  { vmid, source }: Extract<ToldByPlan, { found: 'absent' }>,
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

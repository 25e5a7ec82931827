import { type GuestPlace, type MachinePlan, makesGuest, startsGuest } from '../action';
import type { DoneSoFar } from './done-so-far';
import type { Run } from '../run/run';
import { evidenceOf } from '../observe/guest';
import { ifSame, sameGuest, sameMachine } from '../observe/same-guest';
import { isUnfinished } from '../mark/verdict';
import { NodeLists, isInTheMaking } from '../observe/node-lists';
import { observeMachine } from '../observe/machine';
import type { Sought } from '../observe/sought';
import type { ListedGuest, ObservedGuest, ObservedMachine } from '../observed';
import { taggedAs } from '../observe/tagged-guests';
import { refuseUnseen } from '../observe/unseen-guest';
import { sameMarkButLost } from '../mark/mark';
import { tellOfLeftovers } from '../run/reads/leftovers';
import { sourceCandidates } from '../placement/source';
import { powerWanted } from '../plan/power-actions';
import type { TokenFacts } from './token-facts';
import type { Rivals } from './claim/rivals';
import type { Wanted } from '../run/wanted';
import { onlineNodes } from '../waits/running-tasks';

/** Reads one machine, as often as a run needs it. Waits for nothing. */
export class MachineReader {
  /** Where the machine was last seen: it is looked for there first. */
  lastPlace: GuestPlace | undefined;
  /** This run has destroyed it there: whoever has its number now is another guest. */
  isDestroyed = false;

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly tokenFacts: TokenFacts,
    private readonly rivals: Rivals,
    private readonly done: DoneSoFar,
  ) {}

  /** Reads the machine for the first time, as it is now. */
  async observe(): Promise<ObservedMachine> {
    this.lastPlace = this.tokenFacts.place ?? this.lastPlace;
    const found = await this.tokenFacts.machine();
    if (found) return found;
    await this.run.read();
    const have = await this.look(this.run.nodeLists);
    await tellOfLeftovers(this.run, this.wanted, have);
    return have;
  }

  /** Reads the cluster again, then the machine: after anything that came between. */
  async observeAnew(): Promise<ObservedMachine> {
    await this.run.refresh();
    return this.look(new NodeLists(this.run.pve, this.run.cluster));
  }

  /** Reads the guest after a round that went well: one request, unless somebody else has come between. */
  async afterRound(plan: MachinePlan, guest: ObservedGuest | undefined): Promise<ObservedMachine> {
    if (!guest || plan.actions.some(({ kind }) => kind === 'destroy')) return this.observeAnew();
    const isMade = plan.actions.some(makesGuest);
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

  /** A rival may have told it that it lost before it was read once: it is ours to remove all the same. */
  private async rememberLoser(guest: ObservedGuest): Promise<void> {
    const seen = await ifSame(sameMachine(this.run.pve, guest));
    if (seen?.mark?.replacedBy === undefined || !guest.mark || !this.done.hasMade(seen)) return;
    if (sameMarkButLost(seen.mark, guest.mark)) this.rivals.isMade(seen);
  }

  private async look(nodeLists: NodeLists): Promise<ObservedMachine> {
    const { spec, identity, staying, source } = this.wanted;
    const seen = {
      ...(this.lastPlace === undefined ? {} : { seenAs: this.lastPlace.vmid }),
      ...(staying === undefined ? {} : { staying }),
      ...(source === undefined ? {} : { own: source.names }),
    };
    const heals = this.wanted.only === undefined;
    const common = { identity, vmid: spec.vmid, adopt: spec.adopt ?? false, toCreate: this.run.marks, heals };
    const size = spec.memory === undefined ? {} : { memory: spec.memory };
    const sought = { ...common, ...size, name: spec.name ?? spec.id, ...seen };
    this.rivals.sought(this.run.cluster.guests);
    const have = await this.find(sought, nodeLists);
    if (have.kind === 'absent') return (await this.unseen()) ?? have;
    if (have.kind !== 'present' && have.kind !== 'adoptable') return have;
    this.lastPlace = have.guest;
    return { ...have, guest: { ...have.guest, ...(await this.powerOf(have.guest, nodeLists)) } };
  }

  /** It was seen before, in this run or by the daemon: then it may be hidden by now. */
  private async unseen(): Promise<ObservedMachine | undefined> {
    const seenAs = this.lastPlace?.vmid ?? this.wanted.seenAs;
    if (seenAs === undefined || this.isDestroyed) return undefined;
    return refuseUnseen(this.run.pve, this.run.cluster, { seenAs, vmid: this.wanted.spec.vmid });
  }

  /**
   * The cluster's listing tells it up to ten seconds late, and not whether a guest that runs stands still: its node is asked.
   * Not by who only reads, of a guest that is off and is to be.
   */
  private async powerOf(
    guest: ObservedGuest,
    nodeLists: NodeLists,
  ): Promise<Pick<ObservedGuest, 'power' | 'still'>> {
    if (this.staysOff(guest) && (await this.run.clusterTasks.confirms(guest))) return { power: guest.power };
    const { power, still } = (await nodeLists.at(guest)) ?? guest;
    return { power, still };
  }

  /** Whether it only reads a guest that is listed as off, and is to be. */
  private staysOff({ power }: Pick<ListedGuest, 'power'>): boolean {
    return this.run.onlyReads && power === 'stopped' && powerWanted(this.wanted.spec) === 'stopped';
  }

  /** Before the machine is said to be absent, the tasks that may make it are known. */
  private async find(sought: Sought, nodeLists: NodeLists): Promise<ObservedMachine> {
    const { pve, cluster, runningTasks } = this.run;
    const tagged = taggedAs(cluster.guests, sought.identity);
    nodeLists.ahead(tagged.filter(guest => !this.staysOff(guest)));
    const have = tagged.length > 0 && (await observeMachine(pve, cluster, sought, nodeLists));
    if (have && have.kind !== 'absent') return have;
    await runningTasks.readOn(await nodesWhereMade(this.run, this.wanted));
    return observeMachine(pve, cluster, sought, have ? nodeLists.afresh() : nodeLists);
  }
}

/**
 * The nodes whose tasks may make this machine: all, for a run that writes. A run that only reads asks the nodes of its
 * sources, where a clone runs, those that list a guest in the making, and those where the cluster says that something runs.
 * A create from nothing is listed with its lock from its first moment on (behaviour.md §14.2, §14.3).
 */
async function nodesWhereMade(run: Run, { spec, identity }: Wanted): Promise<readonly string[]> {
  const all = onlineNodes(run.cluster);
  if (!run.onlyReads) return all;
  const { guests } = run.cluster;
  const sources = sourceCandidates(spec, guests, identity.owner);
  const asked = new Set([
    ...('guests' in sources ? sources.guests : []).map(({ node }) => node),
    ...guests.filter(isInTheMaking).map(({ node }) => node),
    ...(await run.clusterTasks.nodesAtWork(all)),
  ]);
  return all.filter(name => asked.has(name));
}

/** Whether a round which went well leaves a cloud-init drive that lags: PVE makes it anew at each start, too. */
function isStaleAfter({ actions }: MachinePlan, read: ObservedGuest): boolean {
  const isFresh = actions.some(action => action.kind === 'regenerate-cloud-init' || startsGuest(action));
  return read.cloudInitStale === true && !isFresh;
}

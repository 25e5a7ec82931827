import type { GuestPlace, MachinePlan } from '../action';
import type { DoneSoFar } from '../run/done-so-far';
import { isStaleAfter } from './after-action';
import type { Run } from '../run/run';
import { evidenceOf } from '../observe/guest-facts';
import { isUnfinished } from '../mark/identity';
import { NameIndex } from '../observe/name-index';
import { observeMachine } from '../observe/machine';
import type { Sought } from '../observe/sought';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { taggedAs } from '../observe/guest-index';
import { sameMarkButLost } from '../mark/mark';
import { sameGuestIfAny, sameMachineIfAny } from '../observe/same-guest';
import { nodesWhereMade } from '../run/reads/nodes-where-made';
import { tellOfLeftovers } from '../run/reads/leftovers';
import { powerWanted } from '../plan/power';
import { isStillAbsent, readThere } from '../run/known';
import type { Rivals } from './rivals/rivals';
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
    const known = await this.asKnown();
    if (known) return known;
    await this.run.read();
    const have = await this.look(this.run.names);
    await tellOfLeftovers(this.run, this.wanted, have);
    return have;
  }

  /** Reads the cluster's listing again, then the machine: after anything that came between. */
  async observeAnew(): Promise<ObservedMachine> {
    await this.run.refresh();
    return this.look(new NameIndex(this.run.pve, this.run.cluster));
  }

  /** Reads the guest after a round that went well: one request, unless somebody else has come between. */
  async afterRound(plan: MachinePlan, guest: ObservedGuest | undefined): Promise<ObservedMachine> {
    if (!guest || plan.actions.some(({ kind }) => kind === 'destroy')) return this.observeAnew();
    const isMade = plan.actions.some(({ kind }) => kind === 'create' || kind === 'clone');
    const read = await sameGuestIfAny(this.run.pve, guest);
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

  /** The machine as Terraform's plan found it, as long as it is so and nothing else of the cluster was read. */
  private async asKnown(): Promise<ObservedMachine | undefined> {
    const { run, wanted } = this;
    const { known } = wanted;
    if (run.isRead || known === undefined) return undefined;
    if (known.found !== 'absent') {
      this.last = known;
      return readThere(run.pve, known, wanted);
    }
    // a rival is looked for again once there is a guest (ADR 0012)
    const listed = await run.reading.listRecently();
    // whoever has no name in the listing yet was not told from a rival
    this.rivals.sought(listed.filter(({ name }) => name !== undefined));
    return isStillAbsent(known, wanted, listed) ? { kind: 'absent' } : undefined;
  }

  /** A rival may have told it that it lost before it was read once: it is ours to remove all the same. */
  private async rememberLoser(guest: ObservedGuest): Promise<void> {
    const seen = await sameMachineIfAny(this.run.pve, guest);
    if (seen?.mark?.y === undefined || !guest.mark || !this.done.hasMade(seen)) return;
    if (sameMarkButLost(seen.mark, guest.mark)) this.rivals.isMade(seen);
  }

  private async look(names: NameIndex): Promise<ObservedMachine> {
    const { spec, identity, staying } = this.wanted;
    const seen = {
      ...(this.last === undefined ? {} : { seenAs: this.last.vmid }),
      ...(staying === undefined ? {} : { staying }),
    };
    const common = { identity, vmid: spec.vmid, adopt: spec.adopt ?? false, toCreate: this.run.marks };
    const size = spec.memory === undefined ? {} : { memory: spec.memory };
    const sought = { ...common, ...size, name: spec.name ?? spec.id, ...seen };
    this.rivals.sought(this.run.cluster.guests);
    const have = await this.find(sought, names);
    if (have.kind !== 'present' && have.kind !== 'adoptable') return have;
    this.last = have.guest;
    return { ...have, guest: { ...have.guest, power: await this.powerOf(have.guest, names) } };
  }

  /** The cluster's listing tells it up to ten seconds late: whoever writes, or would plan to start or stop it, asks its node. */
  private async powerOf(guest: ObservedGuest, names: NameIndex): Promise<ObservedGuest['power']> {
    const { onlyReads, clusterTasks } = this.run;
    const isAsWanted = guest.power === powerWanted(this.wanted.spec);
    if (onlyReads && isAsWanted && (await clusterTasks.confirms(guest))) return guest.power;
    return (await names.at(guest))?.power ?? guest.power;
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

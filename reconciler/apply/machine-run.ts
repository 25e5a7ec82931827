import { randomUUID } from 'node:crypto';
import { ALWAYS, milliseconds } from '../../spec';
import type { MachineSpec } from '../../spec';
import { ActionEvents } from './action-events';
import type { Action, GuestPlace, MachinePlan, Refusal } from '../action';
import { emptyPlan } from '../action';
import { isStaleAfter } from './after-action';
import type { Run } from '../run/run';
import { evidenceOf } from '../observe/guest-facts';
import { isUnfinished } from '../mark/identity';
import { NameIndex } from '../observe/name-index';
import { observeMachine } from '../observe/observe-machine';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { ownerTag } from '../mark/owner-tag';
import type { Performance } from './perform';
import { permitted } from '../run/permitted';
import { planMachine } from '../plan/plan';
import { planOnFacts } from '../run/plan-on-facts';
import type { PlanContext } from '../machine/plan-context';
import type { Pve } from '../pve';
import { sameGuestIfAny } from '../observe/same-guest';
import { placeOfNew, noFreeId } from '../run/place-of-new';
import { migrationOf } from '../run/migration-of';
import { ChosenId } from '../run/chosen-id';
import { partlyThere } from '../waits/hindrances';
import { tellOfLeftovers } from '../run/leftovers';
import { MachineWaits } from './machine-waits';
import { Rivals } from './rivals';
import { TimeLimit } from '../waits/time-limit';
import { Waiting } from '../waits/waiting';
import type { Wanted } from '../run/wanted';

/** One machine's way to its spec within one run: what the loop reads, plans with and reports by. */
export class MachineRun {
  readonly id: string;
  private readonly uuid = randomUUID();
  readonly limit: TimeLimit;
  readonly waiting: Waiting;
  readonly waits: MachineWaits;
  readonly chosenId: ChosenId;
  readonly rivals: Rivals;
  /** Where it was last seen. */
  lastPlace: GuestPlace | undefined;
  private readonly events: ActionEvents;
  /** What was destroyed to be made anew ran. */
  private wasRunning = false;
  private readonly resized: Record<string, string> = {};

  constructor(
    readonly run: Run,
    readonly wanted: Wanted,
  ) {
    this.id = wanted.spec.id;
    this.events = new ActionEvents(this.id, run.report);
    this.limit = new TimeLimit(wanted.spec.timeouts);
    this.waiting = new Waiting(this.id, this.limit, run);
    this.waits = new MachineWaits(run, wanted, this.waiting);
    this.chosenId = new ChosenId(run, wanted);
    const copiesTags = wanted.spec.image?.machine !== undefined;
    this.rivals = new Rivals(run, wanted.identity, copiesTags, this.waiting);
  }

  get pve(): Pve {
    return this.run.pve;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  /** Reads the machine for the first time, as it is now. Waits for nothing. */
  async observe(): Promise<ObservedMachine> {
    const have = await this.look(this.run.names);
    await tellOfLeftovers(this.run, this.wanted, have);
    return have;
  }

  /** The machine once nobody makes it any more, and there is all of it. */
  async whole(have: ObservedMachine): Promise<ObservedMachine> {
    let seen = have;
    const isNew = seen.kind === 'absent' || (seen.kind === 'present' && seen.unfinished);
    this.limit.begin(isNew ? 'create' : 'apply');
    while (await this.waits.untilWhole(seen)) seen = await this.observeAnew();
    return seen;
  }

  /** Reads the cluster's listing again, then the machine: after anything that came between. */
  async observeAnew(): Promise<ObservedMachine> {
    await this.run.refresh();
    return this.look(new NameIndex(this.pve, this.run.cluster));
  }

  /** Reads the guest after a round that went well: one request, unless somebody else has come between. */
  async read(plan: MachinePlan, guest: ObservedGuest | undefined): Promise<ObservedMachine> {
    if (!guest || plan.actions.some(({ kind }) => kind === 'destroy')) return this.observeAnew();
    const read = await sameGuestIfAny(this.pve, guest);
    if (!read) return this.observeAnew();
    const seen = { ...read, cloudInitStale: isStaleAfter(plan, read) };
    const isMade = plan.actions.some(({ kind }) => kind === 'create' || kind === 'clone');
    if (isMade && seen.mark?.u === this.uuid) this.rivals.made = seen;
    const unfinished = isUnfinished(evidenceOf(seen, this.wanted.identity));
    return { kind: 'present', guest: seen, unfinished };
  }

  async plan(have: ObservedMachine): Promise<MachinePlan> {
    const plan = partlyThere(have) ? emptyPlan(this.id) : await this.planWhole(have);
    const isMade = plan.actions.length > 0 || partlyThere(have) !== undefined;
    const waitsFor = isMade ? await this.waits.hindrances(have, plan.actions) : [];
    const told = waitsFor.length > 0 ? { ...plan, waitsFor } : plan;
    this.run.report({ kind: 'planned', machine: this.id, plan: told });
    return told;
  }

  private async planWhole(have: ObservedMachine): Promise<MachinePlan> {
    const found = await this.context(have);
    const { spec } = this.wanted;
    const { plan, context } =
      'refused' in found
        ? { plan: found.refused, context: found }
        : await planOnFacts(this.run, spec, have, found);
    const denied = 'refused' in context ? [] : await permitted(this.run, { spec, plan, have, context });
    const objections = [
      ...denied,
      ...(await this.refusalsAnew(plan, have)),
      ...(this.wanted.objection?.(plan, have) ?? []),
    ];
    return objections.length > 0
      ? { ...plan, actions: [], refusals: [...plan.refusals, ...objections] }
      : plan;
  }

  performance(guest: ObservedGuest | undefined): Performance {
    const { shutdownTimeout, forceStop } = this.wanted.spec;
    return {
      pve: this.pve,
      wait: { timeoutMs: this.taskTimeoutMs(), signal: this.signal },
      warn: text => this.run.report({ kind: 'warning', machine: this.id, text }),
      policy: { shutdownMs: milliseconds(shutdownTimeout ?? '60s'), force: forceStop ?? true },
      ...(guest ? { guest } : {}),
    };
  }

  /** Runs the work of an action when there is room for it. After an interrupt nothing is started any more. */
  limited<T>(action: Action, work: () => Promise<T>): Promise<T> {
    const asked = Date.now();
    return this.run.limits.use(action, () => {
      this.signal.throwIfAborted();
      this.limit.extend(Date.now() - asked);
      return work();
    });
  }

  started(action: Action, guest: GuestPlace | undefined): void {
    if (action.kind === 'destroy') this.limit.begin('destroy');
    this.events.started(action, guest);
  }

  finished(action: Action, guest: ObservedGuest | undefined, elapsedMs: number): void {
    this.waiting.wentWell();
    if (action.kind === 'destroy') this.wasRunning = action.starts === true;
    // it has had its first configuration: nobody's copy makes it one too many
    if (action.kind === 'configure') this.rivals.made = undefined;
    if (action.kind === 'resize') this.resized[action.slot] = guest?.current[action.slot] ?? '';
    const { vmid = 0, node = '' } = 'vmid' in action ? action : (guest ?? {});
    // where to look for it, should what follows be lost
    if (action.kind === 'create' || action.kind === 'clone') this.lastPlace = { vmid, node };
    this.events.finished(action, { vmid, node }, elapsedMs);
  }

  /** This action ends the run: no more is tried. */
  failed(action: Action, error: unknown): void {
    this.waiting.end();
    this.events.failed(action, error);
  }

  /**
   * Whether what is there may get its first configuration now. False: another guest is the machine, or that is not
   * certain yet; read it again.
   */
  async mayFinish(have: ObservedMachine): Promise<boolean> {
    if (have.kind !== 'present' || !have.unfinished) return true;
    const winner = await this.rivals.winnerOver(have.guest);
    if (winner !== undefined && winner !== 'again') this.lastPlace = winner;
    return winner === undefined;
  }

  private get name(): string {
    return this.wanted.spec.name ?? this.wanted.spec.id;
  }

  private taskTimeoutMs(): number {
    const longest = milliseconds(this.run.clusterSpec.taskTimeout ?? ALWAYS.cluster.taskTimeout);
    return Math.max(1_000, Math.min(longest, this.limit.until - Date.now()));
  }

  private async look(names: NameIndex): Promise<ObservedMachine> {
    const { spec, identity, staying } = this.wanted;
    const seen = {
      ...(this.lastPlace === undefined ? {} : { seenAs: this.lastPlace.vmid }),
      ...(staying === undefined ? {} : { staying }),
    };
    const common = { identity, vmid: spec.vmid, adopt: spec.adopt ?? false, toCreate: this.run.marks };
    const sought = { ...common, name: this.name, ...seen };
    names.ahead(identity.ids.map(id => ownerTag(identity.owner, id)));
    this.rivals.sought(this.run.cluster.guests);
    const have = await observeMachine(this.pve, this.run.cluster, sought, names);
    if (have.kind !== 'present' && have.kind !== 'adoptable') return have;
    this.lastPlace = have.guest;
    // the cluster's listing tells it up to ten seconds late
    const power = (await names.at(have.guest))?.power ?? have.guest.power;
    return { ...have, guest: { ...have.guest, power } };
  }

  /** What would keep a machine that is destroyed to be made anew from being made: said before it is destroyed. */
  private async refusalsAnew({ actions }: MachinePlan, have: ObservedMachine): Promise<Refusal[]> {
    if (!('guest' in have) || !actions.some(({ kind }) => kind === 'destroy')) return [];
    const { spec } = this.wanted;
    const absent = { kind: 'absent' } as const;
    const context = await this.context(absent, spec.vmid ?? have.guest.vmid);
    // the room that the old one takes is free by then
    if ('refused' in context) return context.refused.refusals.filter(({ why }) => why !== 'no-place');
    const plan = planMachine(spec, absent, this.run.cluster, context);
    return [...plan.refusals, ...(await permitted(this.run, { spec, plan, have: absent, context }))];
  }

  private async context(
    have: ObservedMachine,
    freed?: number,
  ): Promise<PlanContext | { refused: MachinePlan }> {
    const { spec, identity, token, secrets } = this.wanted;
    const common = {
      owner: identity.owner,
      uuid: this.uuid,
      secrets,
      resized: { ...this.resized },
      wasRunning: this.wasRunning,
      clusterSpec: this.run.clusterSpec,
      ...(identity.entry === undefined ? {} : { entry: identity.entry }),
      ...(token === undefined ? {} : { token }),
    };
    if (have.kind === 'refused') return common;
    if (have.kind !== 'absent') return { ...common, ...(await migrationOf(this.run, spec, have.guest)) };
    const place = await placeOfNew(this.run.places, spec, this.wanted.node);
    if ('refusals' in place) return { refused: place };
    const vmid = freed ?? this.chosenId.get();
    if (vmid === undefined) return { refused: noFreeId(spec, this.run) };
    return { ...common, ...place, vmid };
  }
}

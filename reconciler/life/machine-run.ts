import { type Action, type MachinePlan, makesGuest } from '../action';
import { RefusedError, VanishedError } from '../errors';
import { TokenFacts } from './token-facts';
import { QmCleanup } from './qm-cleanup';
import { ChosenId } from './claim/chosen-id';
import { DoneSoFar } from './done-so-far';
import { MachinePlanner } from './machine-planner';
import { MachineReader } from './machine-reader';
import { Hindrances } from './hindrances';
import type { ObservedGuest, ObservedMachine } from '../observed';
import type { Pve } from '../pve';
import { Rivals } from './claim/rivals';
import type { Run } from '../run/run';
import { Reporting } from './reporting';
import { TimeLimit } from '../waits/time-limit';
import { Waiting } from '../waits/waiting';
import type { Wanted } from '../run/wanted';

/** One machine within one run: what reads it, plans it, waits for it and tells of it. */
export class MachineRun {
  readonly id: string;
  readonly timeLimit: TimeLimit;
  readonly waiting: Waiting;
  readonly hindrances: Hindrances;
  readonly chosenId: ChosenId;
  readonly rivals: Rivals;
  readonly reader: MachineReader;
  readonly planner: MachinePlanner;
  readonly qmCleanup: QmCleanup;
  readonly done: DoneSoFar;
  readonly reporting: Reporting;
  /** The snapshot that holds the machine as it was before the change that is at work. */
  private wayBack: string | undefined;

  constructor(
    readonly run: Run,
    readonly wanted: Wanted,
  ) {
    this.id = wanted.spec.id;
    this.reporting = new Reporting(this.id, run.report);
    this.done = new DoneSoFar(wanted.identity);
    this.timeLimit = new TimeLimit(wanted.spec.timeouts);
    this.waiting = new Waiting(this.id, this.timeLimit, run);
    this.hindrances = new Hindrances(run, wanted, this.waiting);
    this.chosenId = new ChosenId(run, wanted);
    const copiesTags = wanted.spec.image?.machine !== undefined;
    this.rivals = new Rivals(run, wanted.identity, copiesTags, this.waiting);
    const tokenFacts = new TokenFacts(run, wanted, this.chosenId, this.rivals);
    this.reader = new MachineReader(run, wanted, tokenFacts, this.rivals, this.done);
    this.planner = new MachinePlanner(run, wanted, tokenFacts, this.hindrances, this.chosenId, this.done);
    this.qmCleanup = new QmCleanup(this.id, run, this.waiting);
  }

  get pve(): Pve {
    return this.run.pve;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  /** The machine once nobody makes it any more, and there is all of it. */
  async whole(have: ObservedMachine): Promise<ObservedMachine> {
    let seen = have;
    const isNew = seen.kind === 'absent' || (seen.kind === 'present' && seen.unfinished);
    this.timeLimit.begin(isNew ? 'create' : 'apply');
    while (await this.hindrances.untilWhole(seen)) seen = await this.reader.observeAnew();
    return seen;
  }

  /** Runs the work of an action when there is room for it. After an interrupt nothing is started any more. */
  whenRoom<T>(action: Action, work: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    return this.run.shared.limits.use(action, () => {
      this.signal.throwIfAborted();
      this.timeLimit.extend(performance.now() - asked);
      return work();
    });
  }

  /** To be called with each plan: throws where it is not to be carried out. */
  refuseOrNote(plan: MachinePlan): void {
    this.wayBack = plan.wayBack ?? this.wayBack;
    if (plan.refusals.length > 0) {
      const refused = new RefusedError(plan.refusals);
      throw this.done.hasActed ? refused.after('before') : refused;
    }
    plan.notes?.forEach(text => this.reporting.noteOnce(text));
    const made = this.done.madeBefore(plan);
    if (made === undefined) return;
    const isListed = this.run.cluster.guests.some(({ vmid }) => vmid === made.vmid);
    throw new VanishedError(this.id, made, isListed);
  }

  started(action: Action, guest: ObservedGuest | undefined): void {
    this.done.begins(action);
    if (action.kind === 'destroy') this.timeLimit.begin('destroy');
    if (action.kind === 'destroy' && guest) this.done.destroys(guest, false);
    this.reporting.started(action, guest);
  }

  /** Proxmox has taken the request of this action. */
  begun(action: Action): void {
    if (makesGuest(action)) this.rivals.isMaking(action.vmid);
  }

  /** It failed, or nobody knows how it ended. */
  didNotEnd(action: Action): void {
    if (makesGuest(action)) this.run.shared.madeIds.forget(action.vmid);
  }

  finished(action: Action, guest: ObservedGuest | undefined, elapsedMs: number): void {
    this.waiting.wentWell();
    this.done.note(action, guest);
    if (action.kind === 'destroy') this.reader.isDestroyed = true;
    if (action.kind === 'configure') this.rivals.isConfigured();
    const { vmid = 0, node = '' } = 'vmid' in action ? action : (guest ?? {});
    // where to look for it, should what follows be lost
    if (makesGuest(action)) {
      this.reader.lastPlace = { vmid, node };
      this.reader.isDestroyed = false;
      this.run.shared.madeIds.isThere(vmid);
    }
    this.reporting.finished(action, { vmid, node }, elapsedMs);
  }

  /** To be called where the run fails: what was taken before the change is reported, and how to go back to it. */
  tellWayBack(): void {
    if (this.wayBack === undefined) return;
    this.reporting.warn(
      `snapshot ${this.wayBack} holds it as it was before this change. To go back: undo the change in the spec, then pve-reconciler snapshot revert ${this.id} ${this.wayBack} --spec FILE.`,
    );
  }

  /** This action ends the run: no more is tried. */
  failed(action: Action, error: unknown): void {
    this.waiting.end();
    this.reporting.failed(action, error);
  }

  /**
   * Whether what is there may get its first configuration now. False: another guest is the machine, or that is not
   * certain yet; read it again.
   */
  async mayFinish(have: ObservedMachine): Promise<boolean> {
    if (have.kind !== 'present' || !have.unfinished) return true;
    const winner = await this.rivals.winnerOver(have.guest);
    if (winner !== undefined && winner !== 'again') this.reader.lastPlace = winner;
    return winner === undefined;
  }
}

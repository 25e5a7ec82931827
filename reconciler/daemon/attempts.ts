import type { MachineSpec } from '../../spec';
import type { HeldLease } from '../input/surroundings';
import type { Environment } from '../config/cluster-variables';
import { secretsOf } from '../config/cloud-init-secrets';
import { filesOfSecrets } from '../config/files-of-configuration';
import { refuseHanging } from '../config/named-file';
import { reconcileMachine } from '../life/reconcile-machine';
import { RefusedError, StandsStillError } from '../errors';
import type { Report } from '../event';
import { idsOf } from '../mark/identity';
import { taggedAs } from '../observe/tagged-guests';
import { PveError } from '../pve';
import type { LogEntry } from '../report/log-line';
import type { InProgress } from '../report/in-progress';
import type { Run } from '../run/run';
import { wantedOf, type SourcedState, type Wanted } from '../run/wanted';
import { needProxmox } from '../run/proxmox-identity';
import { failureLine, lineOf } from './event-lines';
import type { MachineRecord } from './machine-record';
import type { Metrics } from './metrics';
import { noteOn } from './note-on';
import { Repeats } from './repeats';
import { see, seenStill } from './see';
import type { DaemonSettings } from './daemon-settings';
import type { DesiredSource } from './sources/desired-source';
import { WaitingLine, type RoundPart, type Turn } from './next-machine';
import type { WorkLimit } from './work-limit';

/** What the parts of the daemon share. */
export interface DaemonShared {
  settings: DaemonSettings;
  log: (line: LogEntry) => void;
  metrics: Metrics;
  workLimit: WorkLimit;
  sources: DesiredSource;
  /** Whether what nothing asks for any more is destroyed. */
  prunes: boolean;
  signal: AbortSignal;
  /** What this process holds while it works; undefined: it takes turns with nobody. */
  lease: HeldLease | undefined;
  /** Takes note of what is done to which machine: an interrupt tells it, and waits for machines to be started again. */
  progress: Pick<InProgress, 'note' | 'ended'>;
}

/** How often to look whether a round of all is over. */
const LOOK_MS = 500;

/** Works on the machines of one cluster, each in its turn; tells what happens. Never throws. */
export class Attempts {
  environment: Environment = {};
  /** While it is, nothing more is begun. */
  isOnHold = false;
  private readonly working = new Map<string, Promise<void>>();
  private readonly records = new Map<string, MachineRecord>();
  private readonly repeats = new Repeats();
  private readonly line = new WaitingLine();
  private isServing = false;
  private lookedAt = 0;

  constructor(
    private readonly cluster: string,
    private readonly around: DaemonShared,
    private readonly calls: {
      /** Work on one has ended: it may be tried again. */
      again: (key: string) => void;
      /** The credentials do not hold any more. */
      refused: () => void;
      /** None of the last round of all waits for its turn any more. */
      emptied: () => void;
    },
  ) {}

  /** These have their turns one after the other, whoever waited before: see `WaitingLine`. */
  takeAll(turns: readonly Turn[]): void {
    this.line.takeAll(turns);
    void this.serve();
  }

  takeSome(turns: readonly Turn[]): void {
    this.line.takeSome(turns);
    void this.serve();
  }

  private async serve(): Promise<void> {
    if (this.isServing) return;
    this.isServing = true;
    // who is next is said when the turn has come: somebody may have changed one meanwhile
    while (!this.line.isEmpty && this.mayBegin()) {
      await this.around.workLimit.begin(() => this.attemptNext());
      this.lookForAll();
    }
    this.isServing = false;
    this.calls.emptied();
  }

  /** A round of all is over though others wait. Not at each turn, as thousands may wait. */
  private lookForAll(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_MS) return;
    this.lookedAt = now;
    if (!this.line.hasAll) this.calls.emptied();
  }

  private async attemptNext(): Promise<void> {
    const turn = this.mayBegin() ? this.line.next() : undefined;
    if (turn === undefined) return;
    const { record, part } = turn;
    const key = keyOf(record.owner, record.spec.id);
    // it is being destroyed for one who asked before
    if (this.working.has(key)) return this.line.over(turn);
    record.begins();
    const work = this.attempt(record, part).finally(() => this.line.over(turn));
    this.keep(key, work);
    await work;
  }

  /**
   * Begins work of another kind on a machine in its turn: nothing else begins on it until that has ended, nor while it
   * waits for its turn. Resolves when it has begun; at once where something else is at work on the machine.
   */
  async begin(owner: string, machine: string, work: () => Promise<void>): Promise<void> {
    if (!this.mayBegin() || this.isAtWorkOn(owner, machine)) return;
    const begun = this.around.workLimit.begin(work);
    this.keep(
      keyOf(owner, machine),
      begun.then(({ ended }) => ended),
    );
    await begun;
  }

  private keep(key: string, work: Promise<void>): void {
    this.working.set(key, work);
    void work.finally(() => {
      this.working.delete(key);
      // whoever waits for its end
      this.calls.again(key);
    });
  }

  private mayBegin(): boolean {
    return !this.isOnHold && !this.around.signal.aborted;
  }

  get isIdle(): boolean {
    return this.working.size === 0;
  }

  isAtWorkOn(owner: string, machine: string): boolean {
    return this.working.has(keyOf(owner, machine));
  }

  /** Resolves when all that is under way now has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.working.values()]);
  }

  /** Takes the events of the machines of an owner. */
  reportFor(owner: string): Report {
    return event => {
      this.around.metrics.note(event);
      this.around.progress.note(event, performance.now());
      this.around.sources.requester?.happened(owner, event);
      const key = keyOf(owner, event.machine);
      const record = this.records.get(key);
      if (record) noteOn(record, event);
      // told once, as the end of the attempt
      if (event.kind === 'failed') return;
      const isRepeatable = event.kind === 'progress' || event.kind === 'warning';
      if (isRepeatable && !this.repeats.isNew(key, event.text)) return;
      this.tell(lineOf(event));
    };
  }

  private async attempt(record: MachineRecord, { state, run, isCurrent }: RoundPart): Promise<void> {
    const { owner, spec } = record;
    const key = keyOf(owner, spec.id);
    const started = performance.now();
    this.records.set(key, record);
    record.notes = [];
    record.isBeingMade = false;
    record.isMade = false;
    try {
      await refuseHanging(filesOfSecrets(spec));
      const wanted = wantedOf(state, spec, secretsOf(spec, this.environment));
      const outcome = await reconcileMachine(run, {
        ...wanted,
        ...onlyWhereBound(run, state, spec),
        ...(record.seenAs !== undefined && { seenAs: record.seenAs }),
        takesOver: true,
      });
      await see(record, outcome, run.pve);
      record.wentWell(outcome);
    } catch (error) {
      const stands = error instanceof StandsStillError && (await seenStill(record, error, run.pve));
      if (!run.signal.aborted) this.fails(record, error, run, isCurrent(), stands);
    } finally {
      record.isAtWork = false;
      record.doing = undefined;
      if (!run.signal.aborted) this.around.sources.requester?.stands(record, spec);
      this.around.progress.ended(spec.id);
      this.records.delete(key);
      this.repeats.ended(key);
      this.around.metrics.took('machine', started);
    }
  }

  private fails(record: MachineRecord, error: unknown, run: Run, isCurrent: boolean, isSeen: boolean): void {
    const isRefusedLogin = error instanceof PveError && error.kind === 'unauthenticated';
    const identity = { owner: record.owner, ids: idsOf(record.spec) };
    const isListed = !record.isBeingMade && taggedAs(run.cluster.guests, identity).length > 0;
    record.failed(error, {
      isOver: isRefusedLogin && !isCurrent,
      isThere: record.isMade || (isListed && !record.isHalfMade),
      isSeen,
    });
    this.around.metrics.failed('machine', error);
    // it concerns all machines: the cluster tells it, once
    if (isRefusedLogin) return this.calls.refused();
    const line = failureLine(error, record.spec.id);
    const isNew = this.repeats.isNew(
      keyOf(record.owner, record.spec.id),
      `${line.message} ${record.error ?? ''}`,
    );
    const { requester } = this.around.sources;
    requester?.failed(record.owner, record.spec.id, record.error ?? '', error instanceof RefusedError);
    this.tell(isNew ? line : { ...line, level: 'debug' });
  }

  private tell({ level, message, fields: { machine, ...fields } }: LogEntry): void {
    this.around.log({ level, message, fields: { machine, cluster: this.cluster, ...fields } });
  }
}

export function keyOf(owner: string, machine: string): string {
  return `${owner}\n${machine}`;
}

/** Of a machine that is bound to a Proxmox: it is looked at again directly before each write. */
function onlyWhereBound(run: Run, { boundTo }: SourcedState, { id }: MachineSpec): Pick<Wanted, 'allowed'> {
  const bound = boundTo?.get(id);
  if (bound === undefined) return {};
  return { allowed: () => needProxmox(run.shared, run.cluster.nodes, { machine: id, bound }) };
}

import type { MachineSpec } from '../../spec';
import type { Action } from '../action';
import type { HeldLease } from '../input/surroundings';
import type { Environment } from '../config/variables';
import { secretsOf } from '../config/cloud-init-secrets';
import { filesOfSecrets } from '../config/files-of-configuration';
import { refuseHanging } from '../config/named-file';
import { reconcileMachine, type Outcome } from '../life/reconcile-machine';
import { RefusedError, StandsStillError } from '../errors';
import type { Event, Report } from '../event';
import { idsOf } from '../mark/identity';
import { taggedAs } from '../observe/tagged-guests';
import { seeGuest, unseenGuest } from '../outputs/read-guest';
import { PveError, type Pve, isOneLess } from '../pve';
import { actionText } from '../report/action-text';
import type { LogEntry } from '../report/log-line';
import type { InProgress } from '../report/in-progress';
import { changeLines } from '../report/change-lines';
import type { Run } from '../run/run';
import { wantedOf, type SourcedState, type Wanted } from '../run/wanted';
import { needProxmox } from '../run/which-proxmox';
import { failureLine, lineOf } from './event-lines';
import type { MachineRecord } from './machine-record';
import type { Metrics } from './metrics';
import { Repeats } from './repeats';
import type { DaemonSettings } from './daemon-settings';
import type { DesiredSource } from './sources/desired-source';
import type { WorkLimit } from './work-limit';

/** What the parts of the daemon share. */
export interface Around {
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

/** The part of a round that one desired state has. */
interface Part {
  state: SourcedState;
  run: Run;
  /** Whether the credentials that it began with are those of now. */
  isCurrent: () => boolean;
}

/** How long addresses and snapshots of a guest that does not change are recent enough. */
const SEEN_MS = 300_000;

/** Works on the machines of one cluster, each in its turn; tells what happens. Never throws. */
export class Attempts {
  environment: Environment = {};
  private readonly working = new Map<string, Promise<void>>();
  private readonly records = new Map<string, MachineRecord>();
  private readonly repeats = new Repeats();

  constructor(
    private readonly cluster: string,
    private readonly around: Around,
    /** Called when work on one ends: it may be tried again. */
    private readonly again: () => void,
    /** Called when the credentials do not hold any more. */
    private readonly refused: () => void,
  ) {}

  /** Begins on each of these; resolves when the last has begun. */
  async begin(records: readonly MachineRecord[], part: Part): Promise<void> {
    const all: Promise<void>[] = [];
    for (const record of records) {
      if (this.around.signal.aborted) break;
      const key = keyOf(record.owner, record.spec.id);
      // it is being destroyed for one who asked before
      if (this.working.has(key)) continue;
      record.begins();
      const { ended } = await this.around.workLimit.begin(() => this.attempt(record, part));
      this.keep(key, ended);
      all.push(ended);
    }
    void Promise.all(all).then(() => part.run.close());
  }

  /** Work of another kind on a machine: nothing else begins on it meanwhile. */
  keep(key: string, work: Promise<void>): void {
    this.working.set(key, work);
    void work.finally(() => {
      if (this.working.get(key) === work) this.working.delete(key);
      // whoever waits for its end
      this.again();
    });
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
      this.around.progress.note(event, Date.now());
      this.around.sources.requester?.happened(owner, event);
      const key = keyOf(owner, event.machine);
      const record = this.records.get(key);
      if (record) note(record, event);
      // told once, as the end of the attempt
      if (event.kind === 'failed') return;
      const isRepeatable = event.kind === 'progress' || event.kind === 'warning';
      if (isRepeatable && !this.repeats.isNew(key, event.text)) return;
      this.tell(lineOf(event));
    };
  }

  private async attempt(record: MachineRecord, { state, run, isCurrent }: Part): Promise<void> {
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
      const outcome = await reconcileMachine(run, { ...wanted, ...onlyWhereBound(run, state, spec) });
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
    const key = keyOf(record.owner, record.spec.id);
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
    if (isRefusedLogin) return this.refused();
    const line = failureLine(error, record.spec.id);
    const isNew = this.repeats.isNew(key, `${line.message} ${record.error ?? ''}`);
    const isRefusal = error instanceof RefusedError;
    this.around.sources.requester?.failed(record.owner, record.spec.id, record.error ?? '', isRefusal);
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

function note(record: MachineRecord, event: Event): void {
  if (event.kind === 'warning') record.notes.push(event.text);
  if (event.kind === 'started') record.doing = actionText(event.action);
  if (event.kind === 'finished') {
    record.doing = undefined;
    if (record.isHalfMade && event.action.kind === 'configure')
      [record.isHalfMade, record.isMade] = [false, true];
    if (isMaking(event.action)) [record.isHalfMade, record.isMade] = [true, false];
  }
  if (event.kind !== 'planned' || event.plan.actions.length === 0) return;
  // what is left to do to a new machine is no drift
  record.isBeingMade ||= event.plan.actions.some(isMaking);
  if (!record.isBeingMade) record.drift = { at: new Date().toISOString(), changes: changeLines(event.plan) };
}

function isMaking({ kind }: Action): boolean {
  return kind === 'create' || kind === 'clone';
}

/** Reads a guest that stands still for its outputs, which tell that. False: it cannot be read. */
async function seenStill(record: MachineRecord, { guest }: StandsStillError, pve: Pve): Promise<boolean> {
  try {
    record.see(await seeGuest(pve, guest));
  } catch (error) {
    if (!isOneLess(error)) throw error;
    return false;
  }
  record.stands({ kind: 'as-wanted', guest });
  return true;
}

/** Reads what only the outputs tell, where the guest has changed or it is long ago. */
async function see(record: MachineRecord, outcome: Outcome, pve: Pve): Promise<void> {
  const guest = outcome.kind === 'paused' ? undefined : outcome.guest;
  if (guest === undefined) return record.see(undefined);
  if (record.isSeenAs(outcome) && Date.now() < record.seenUntil) return;
  try {
    record.see(await seeGuest(pve, guest));
    // not all of them in one round
    record.seenUntil = Date.now() + SEEN_MS * (0.5 + Math.random() / 2);
  } catch (error) {
    if (!isOneLess(error)) throw error;
    // went, moved or stopped meanwhile: the next round tells
    record.seeAgain(unseenGuest(pve, guest));
  }
}

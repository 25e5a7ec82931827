import type { Run } from '../run/run';
import type { SourcedState } from '../run/wanted';
import type { MachineRecord } from './machine-record';

/** The part of a round that one desired state has. */
export interface RoundPart {
  state: SourcedState;
  run: Run;
  /** Whether the credentials that it began with are those of now. */
  isCurrent: () => boolean;
}

export interface Turn {
  record: MachineRecord;
  part: RoundPart;
}

/** Of so many turns one is for those that nobody changed. */
const OTHERS_EACH = 4;

/**
 * The machines of a cluster that wait for their turn, and who is next; who is due at all, machine-record.ts says. Those
 * that are wanted otherwise come first, as they were changed; then those that are only looked at, the longest unseen
 * first. A run is closed when none of its machines is left.
 */
export class WaitingLine {
  private turns: Turn[] = [];
  private given = 0;
  private readonly left = new Map<Run, number>();

  get isEmpty(): boolean {
    return this.turns.length === 0;
  }

  /** Whether a machine of the last round of all still waits. */
  get hasAll(): boolean {
    return this.turns.some(({ record }) => record.waitsIn === 'all');
  }

  /** All wait with a new reading, in place of those who waited. */
  takeAll(turns: readonly Turn[]): void {
    this.replace(turns, 'all');
  }

  /** Those that need not wait for a round of all, in place of those who waited so. Who waits in a round of all keeps its place. */
  takeSome(turns: readonly Turn[]): void {
    this.replace(turns, 'some');
  }

  private replace(turns: readonly Turn[], round: 'all' | 'some'): void {
    const taken = new Set(turns.map(({ record }) => record));
    const isKept = ({ record }: Turn): boolean =>
      round === 'some' && record.waitsIn === 'all' && !taken.has(record);
    const gone = this.turns.filter(turn => !isKept(turn));
    const kept = this.turns.filter(isKept);
    for (const { record } of gone) record.waitsIn = undefined;
    for (const { record, part } of turns) {
      record.waitsIn = round;
      this.left.set(part.run, (this.left.get(part.run) ?? 0) + 1);
    }
    this.turns = [...kept, ...turns].sort(inTurn);
    gone.forEach(turn => this.over(turn));
  }

  /** Whose turn it is; undefined: nobody waits. `over` is to be called when it has ended. */
  next(): Turn | undefined {
    for (let turn = this.take(); turn !== undefined; turn = this.take()) {
      const { record } = turn;
      // it is wanted otherwise since, or not at all
      const isLeft = record.waitsIn === undefined;
      record.waitsIn = undefined;
      if (!isLeft) return turn;
      this.over(turn);
    }
    return undefined;
  }

  private take(): Turn | undefined {
    this.given += 1;
    // also where changes come faster than they are made, the others have a turn
    const isForOthers = this.given % OTHERS_EACH === 0;
    const at = isForOthers ? this.turns.findIndex(({ record }) => record.changedAt === undefined) : 0;
    return this.turns.splice(Math.max(0, at), 1)[0];
  }

  over({ part: { run } }: Turn): void {
    const left = (this.left.get(run) ?? 0) - 1;
    if (left > 0) return void this.left.set(run, left);
    this.left.delete(run);
    run.close();
  }
}

function inTurn({ record: one }: Turn, { record: other }: Turn): number {
  if (one.changedAt !== undefined && other.changedAt !== undefined) return one.changedAt - other.changedAt;
  return rank(one) - rank(other) || one.begunAt - other.begunAt;
}

/** Those that failed last come last: each may hold a turn for long. */
function rank({ changedAt, hasFailed }: MachineRecord): number {
  if (changedAt !== undefined) return 0;
  return hasFailed ? 2 : 1;
}

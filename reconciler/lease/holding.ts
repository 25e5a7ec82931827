import type { BeginCluster, ClusterWork } from '../daemon/sharing';
import { messageOf } from '../errors';
import { POSTGRES_TIMES } from './postgres-session';
import { Tenure, type Moment } from './tenure';

/** A cluster whose lock this host has: from the moment it was taken until the work on it has ended. */
export class Holding {
  /** Resolves when nothing is done here any more. A text: why it was lost. */
  readonly ended: Promise<string | undefined>;
  private end: (why: string | undefined) => void = () => undefined;
  private readonly takenAt = performance.now();
  private tenure: Tenure | undefined;
  private begun: ClusterWork | undefined;
  /** It is being given back. */
  isLeaving = false;

  constructor(
    readonly cluster: string,
    private readonly title: string,
  ) {
    this.ended = new Promise(resolve => (this.end = resolve));
  }

  /** The work that is under way; undefined: it has not begun. */
  get atWork(): ClusterWork | undefined {
    return this.begun;
  }

  /** Nothing more may be written. */
  get isLost(): boolean {
    return this.tenure?.signal.aborted === true;
  }

  /**
   * A renewal that was sent then has said that we hold it. True: we may begin, for the first time. Whoever held it before
   * writes for a while where his session ended and he cannot hear of it.
   */
  renewed(sentAt: Moment): boolean {
    if (this.tenure !== undefined) {
      this.tenure.renewed(sentAt);
      return false;
    }
    if (sentAt.steadyMs < this.takenAt + POSTGRES_TIMES.goodMs) return false;
    this.tenure = new Tenure({ title: this.title, times: POSTGRES_TIMES }, sentAt);
    return true;
  }

  /** Works until it is lost, stopped, or interrupted. */
  async work(begin: BeginCluster): Promise<void> {
    const { tenure, title, cluster } = this;
    if (tenure === undefined) return;
    const { signal } = tenure;
    let why: string | undefined;
    try {
      this.begun = await begin(cluster, { title, beforeWrite: tenure.check, signal });
      await this.begun?.ended;
    } catch (error) {
      why = messageOf(error);
    }
    tenure.end();
    this.end(signal.aborted ? messageOf(signal.reason) : why);
  }

  /** To be called when nothing is under way. */
  giveBack(): void {
    this.isLeaving = true;
    this.begun?.stop();
  }

  /** Where the work has not begun, it never does. */
  endUnlessBegun(): void {
    if (this.tenure === undefined) this.end(undefined);
  }

  /** Nothing more is written. */
  lose(why: string): void {
    if (this.tenure === undefined) this.end(why);
    else this.tenure.lose(why);
  }
}

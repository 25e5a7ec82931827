import { causeText } from '../report/failure-text';
import { backoffMs, isLasting } from './backoff';
import { Pause } from './pause';
import { SilenceError, type Connection } from './connection';

/** A look takes so much of the interval, and the pause after it too: a loss is seen within one interval. */
const SHARE = 0.4;
/** A cluster that is busy may take so long in any case. */
const PATIENCE_MS = 2_000;

interface ProbeSettings {
  intervalMs: number;
  signal: AbortSignal;
  connection: () => Connection;
  /** Told when it changes: why the cluster is out of reach; undefined: it answers. */
  changed: (trouble: unknown) => void;
}

/** Asks the cluster all the time whether it answers. What only new credentials help is asked ever more rarely. */
export class ClusterProbe {
  private readonly pause = new Pause();
  private failures = 0;
  private told: string | undefined;

  constructor(private readonly around: ProbeSettings) {}

  async run(): Promise<void> {
    const { signal, intervalMs, connection } = this.around;
    const pauseMs = intervalMs * SHARE;
    while (!signal.aborted) {
      const asked = connection();
      const trouble = await asked.trouble(Math.max(PATIENCE_MS, pauseMs));
      // another look, with the credentials of now
      if (asked !== connection() || signal.aborted) continue;
      this.failures = trouble === undefined ? 0 : this.failures + 1;
      this.tell(trouble);
      const isSlow = trouble !== undefined && isLasting(trouble);
      await this.pause.wait(isSlow ? backoffMs(trouble, this.failures) : pauseMs, signal);
    }
  }

  /** Looks at once. */
  readonly look = (): void => this.pause.end();

  private tell(trouble: unknown): void {
    const text = trouble === undefined ? '' : troubleText(trouble);
    if (this.told === text) return;
    this.told = text;
    this.around.changed(trouble);
  }
}

/** Why a cluster is out of reach, for people. */
export function troubleText(trouble: unknown): string {
  return trouble instanceof SilenceError ? trouble.message : causeText(trouble);
}

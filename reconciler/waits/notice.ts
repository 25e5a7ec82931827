import { formatDuration } from '../../spec';

/** A wait that is shorter is not worth a line. */
const FIRST_MS = 2_000;
const SECOND_MS = 120_000;
const RARER = 5;

/** The line that is due after so much waiting, if one is: the first after a moment, then ever more rarely. */
export class Notice {
  private nextMs = FIRST_MS;

  isDue(elapsedMs: number): boolean {
    if (elapsedMs < this.nextMs) return false;
    this.nextMs = this.nextMs < SECOND_MS ? SECOND_MS : this.nextMs * RARER;
    return true;
  }
}

/** A span of time for people: "40s", "2m", "1h". */
export function span(ms: number): string {
  const coarse = ms < 120_000 ? 1_000 : 60_000;
  return formatDuration(Math.max(1, Math.round(ms / coarse)) * coarse);
}

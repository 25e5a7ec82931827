import { Notice } from './notice';
import { PveError, readClusterStatus, type Pve } from '../pve';

/** The quorum, for all machines of a run that wait for it: they share one reading, and one line that says so. */
export class QuorumWatch {
  private reading: Promise<boolean> | undefined;
  private readAt = 0;
  private shared = new Notice();

  constructor(private readonly pve: Pve) {}

  get notice(): Notice {
    return this.shared;
  }

  /** Whether it is there. A reading of another machine serves while it is not older than this. */
  async isThere(maxAgeMs: number): Promise<boolean> {
    if (this.reading === undefined || Date.now() - this.readAt > maxAgeMs) {
      this.readAt = Date.now();
      this.reading = isQuorate(this.pve);
    }
    const isThere = await this.reading;
    if (isThere) this.shared = new Notice();
    return isThere;
  }
}

async function isQuorate(pve: Pve): Promise<boolean> {
  try {
    return (await readClusterStatus(pve)).quorate !== false;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'unreachable') return false;
    throw error;
  }
}

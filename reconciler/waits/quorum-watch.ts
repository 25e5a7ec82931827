import { PveError, readClusterStatus, type Pve } from '../pve';
import { Notice } from './notice';
import type { Waiting } from './waiting';

export const NO_QUORUM = 'the quorum of the cluster, without which Proxmox writes nothing to any machine';

/** The quorum, for all machines of a run that wait for it: they share one reading, and one line that says so. */
export class QuorumWatch {
  private reading: Promise<boolean> | undefined;
  private readAt = 0;
  private notice = new Notice();

  constructor(private readonly pve: Pve) {}

  /** Waits until it is there again: one small read at a time, however many machines wait. */
  async wait(waiting: Waiting): Promise<void> {
    const look = async (pauseMs: number): Promise<true | undefined> =>
      (await this.isThere(pauseMs / 2)) || undefined;
    await waiting.until(() => NO_QUORUM, look, this.notice);
  }

  /** A reading of another machine serves while it is not older than this. */
  private async isThere(maxAgeMs: number): Promise<boolean> {
    if (this.reading === undefined || performance.now() - this.readAt > maxAgeMs) {
      this.readAt = performance.now();
      this.reading = isQuorate(this.pve);
    }
    const isThere = await this.reading;
    if (isThere) this.notice = new Notice();
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

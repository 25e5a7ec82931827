import { setTimeout } from 'node:timers/promises';
import type { Identity } from '../mark/identity';

interface Making {
  run: object;
  machine: string;
  /** Whether it came to be. */
  made: Promise<boolean>;
  end: (isMade: boolean) => void;
}

/** How long one waits for the end of a task that Proxmox shows as over: it was not looked at since. Then a read tells. */
const MOMENT_MS = 250;

/** The guests that the runs of one process make and have made, until each run ends. */
export class MadeIds {
  private readonly makings = new Map<number, Making>();

  /** Proxmox has taken the request. */
  begins(vmid: number, run: object, machine: string): void {
    let end: Making['end'] = () => undefined;
    const made = new Promise<boolean>(resolve => (end = resolve));
    this.makings.set(vmid, { run, machine, made, end });
  }

  /** Proxmox has said that the guest is there. */
  isThere(vmid: number): void {
    this.makings.get(vmid)?.end(true);
  }

  /** It did not come to be, or is to be removed: its id is anybody's again. */
  forget(vmid: number): void {
    this.makings.get(vmid)?.end(false);
    this.makings.delete(vmid);
  }

  release(run: object): void {
    for (const [vmid, making] of this.makings) if (making.run === run) this.forget(vmid);
  }

  /** Whether a run of this process makes a guest for another machine, or has made it. */
  isBegunForAnother(vmid: number, machine: string): boolean {
    const making = this.makings.get(vmid);
    return making !== undefined && making.machine !== machine;
  }

  /** Whether a guest is another machine than this, and is there. Waits a moment for one whose making is about to end. */
  async isForAnother(vmid: number, machine: string): Promise<boolean> {
    const making = this.makings.get(vmid);
    if (making === undefined || making.machine === machine) return false;
    const isOver = new AbortController();
    const { signal } = isOver;
    const moment = setTimeout(MOMENT_MS, false, { signal }).catch(() => false);
    const isMade = await Promise.race([making.made, moment]);
    isOver.abort();
    return isMade;
  }
}

/** The name of a machine among those of all owners. */
export function nameAmongAll({ owner, ids }: Pick<Identity, 'owner' | 'ids'>): string {
  return `${owner}/${ids[0]}`;
}

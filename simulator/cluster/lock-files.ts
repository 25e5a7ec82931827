import type { Clock } from '../clock';
import { fail } from '../failure';

interface Waiter {
  shared: boolean;
  granted: boolean;
  grant: () => void;
}

/** The lock file of a guest's configuration on one node; the node is ours, Proxmox's text names only the path. */
export function guestLock(node: string, vmid: number): string {
  return `${node}:/var/lock/qemu-server/lock-${vmid}.conf`;
}

/** File locks of the nodes, as pvedaemon's workers take them: first come first served, with a time-out. */
export class Flocks {
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly clock: Clock) {}

  /** Runs `work` holding the lock alone; after `timeoutMs` of waiting fails as Proxmox does. */
  hold<T>(file: string, timeoutMs: number, work: () => Promise<T> | T): Promise<T> {
    return this.holdAs(false, file, timeoutMs, work);
  }

  /** Runs `work` holding the lock together with others who share it; fails as `hold` does. */
  holdShared<T>(file: string, timeoutMs: number, work: () => Promise<T> | T): Promise<T> {
    return this.holdAs(true, file, timeoutMs, work);
  }

  /** The lock files that are held now. */
  held(): string[] {
    return [...this.queues.keys()];
  }

  private async holdAs<T>(
    shared: boolean,
    file: string,
    timeoutMs: number,
    work: () => Promise<T> | T,
  ): Promise<T> {
    const holder = await this.acquire(shared, file, timeoutMs);
    try {
      return await work();
    } finally {
      this.leave(file, holder);
    }
  }

  private async acquire(shared: boolean, file: string, timeoutMs: number): Promise<Waiter> {
    const queue = this.queues.get(file) ?? [];
    this.queues.set(file, queue);
    const waiter: Waiter = { shared, granted: false, grant: () => undefined };
    const granted = new Promise<boolean>(resolve => {
      waiter.grant = () => resolve(true);
      queue.push(waiter);
      wake(queue);
      if (waiter.granted) return;
      void this.clock.sleep(timeoutMs).then(() => {
        if (waiter.granted) return;
        this.leave(file, waiter);
        resolve(false);
      });
    });
    if (await granted) return waiter;
    return fail(`can't lock file '${file.slice(file.indexOf(':') + 1)}' - got timeout`);
  }

  private leave(file: string, waiter: Waiter): void {
    const queue = this.queues.get(file) ?? [];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(file);
    else wake(queue);
  }
}

/** Grants the lock to the head of the queue, and with a sharing head to the sharers right behind it. */
function wake(queue: Waiter[]): void {
  for (const [index, waiter] of queue.entries()) {
    if (index > 0 && !(waiter.shared && queue[0]?.shared)) return;
    if (waiter.granted) continue;
    waiter.granted = true;
    waiter.grant();
  }
}

import type { Clock } from './clock';
import { fail } from './failure';

interface Waiter {
  granted: boolean;
  grant: () => void;
}

/** The lock file of a guest's configuration on one node; the node is ours, Proxmox's text names only the path. */
export function guestLock(node: string, vmid: number): string {
  return `${node}:/var/lock/qemu-server/lock-${vmid}.conf`;
}

/** File locks of the nodes, as pvedaemon's workers take them: exclusive, first come first served, with a time-out. */
export class Flocks {
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly clock: Clock) {}

  /** Runs `work` holding the lock; after `timeoutMs` of waiting fails as Proxmox does. */
  async hold<T>(file: string, timeoutMs: number, work: () => Promise<T> | T): Promise<T> {
    await this.acquire(file, timeoutMs);
    try {
      return await work();
    } finally {
      this.release(file);
    }
  }

  /** The lock files that are held now. */
  held(): string[] {
    return [...this.queues.keys()];
  }

  private async acquire(file: string, timeoutMs: number): Promise<void> {
    const queue = this.queues.get(file) ?? [];
    this.queues.set(file, queue);
    if (queue.length === 0) {
      queue.push({ granted: true, grant: () => undefined });
      return;
    }
    const granted = await new Promise<boolean>(resolve => {
      const waiter: Waiter = { granted: false, grant: () => resolve(true) };
      queue.push(waiter);
      void this.clock.sleep(timeoutMs).then(() => {
        if (waiter.granted) return;
        queue.splice(queue.indexOf(waiter), 1);
        resolve(false);
      });
    });
    if (!granted) fail(`can't lock file '${file.slice(file.indexOf(':') + 1)}' - got timeout`);
  }

  private release(file: string): void {
    const queue = this.queues.get(file) ?? [];
    queue.shift();
    const head = queue[0];
    if (!head) {
      this.queues.delete(file);
      return;
    }
    head.granted = true;
    head.grant();
  }
}

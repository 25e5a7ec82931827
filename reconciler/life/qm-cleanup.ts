import type { Action } from '../action';
import { PveError, lockFileHeld, readStatus, type GuestAddress } from '../pve';
import type { Run } from '../run/run';
import { span } from '../waits/notice';
import type { Waiting } from '../waits/waiting';

/**
 * How long the clean-up holds the lock file. PVE: `qm cleanup` waits 30 s for the process to end, and takes that of a guest
 * which was started meanwhile for the old one (qemu-server 9.2.6; behaviour.md §16.2). It is no task: nothing lists it.
 */
const HELD_MS = 31_000;

/** A wait that is shorter is not worth a line. */
const SILENT_MS = 2_000;

/** These do not ask for the guest's lock file. */
const NEED_NO_LOCK: readonly Action['kind'][] = [
  ...(['fetch-image', 'upload-iso', 'remove-iso', 'set-pool'] as const),
  ...(['join-ha', 'change-ha', 'leave-ha'] as const),
];

/**
 * Proxmox's own clean-up of a guest that this run stopped and started again. What must be written then waits for it:
 * without a write that is refused, where this process has met it before, and never as something that went wrong.
 */
export class QmCleanup {
  private until = 0;

  constructor(
    private readonly machine: string,
    private readonly run: Run,
    private readonly waiting: Waiting,
  ) {}

  /** To be called when a guest runs again that this run has stopped. */
  begins(): void {
    this.until = performance.now() + (this.run.pve.config.poll.cleanUpMs ?? HELD_MS);
  }

  /** To be called before each action: waits where the lock is known to be held. */
  async waitAfterOurRestart({ kind }: Action, guest: GuestAddress | undefined): Promise<void> {
    if (guest && this.run.shared.locksToCleanUp && !NEED_NO_LOCK.includes(kind)) await this.wait(guest);
  }

  /** Whether a failure only met this lock: then it has been waited for, and what failed can be tried again. */
  async met(error: unknown, guest: GuestAddress | undefined): Promise<boolean> {
    if (guest === undefined || lockFileHeld(error) !== guest.vmid || !this.isAtWork()) return false;
    this.run.shared.locksToCleanUp = true;
    await this.wait(guest);
    return true;
  }

  private isAtWork(): boolean {
    return performance.now() < this.until;
  }

  private async wait(guest: GuestAddress): Promise<void> {
    if (!this.isAtWork()) return;
    const leftMs = this.until - performance.now();
    if (leftMs > SILENT_MS) this.tell(guest, leftMs);
    await this.waiting.briefly(leftMs, () => this.hasEnded(guest));
    this.until = 0;
  }

  /** It ends with the guest's process. Whoever locks the configuration meanwhile is waited for as ever, and told. */
  private async hasEnded(guest: GuestAddress): Promise<true | undefined> {
    try {
      const { status, lock } = await readStatus(this.run.pve, guest);
      return status !== 'running' || lock !== undefined || undefined;
    } catch (error) {
      if (!(error instanceof PveError)) throw error;
      // who reads the guest again finds out what came of it
      return error.kind === 'unreachable' ? undefined : true;
    }
  }

  private tell({ vmid }: GuestAddress, leftMs: number): void {
    const text = `waits for Proxmox's own clean-up after the restart of guest ${vmid}: at most ${span(leftMs)}.`;
    this.run.report({ kind: 'progress', machine: this.machine, text });
  }
}

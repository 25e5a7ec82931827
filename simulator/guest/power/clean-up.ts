import { guestLock } from '../../cluster/lock-files';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';

/** How long after a guest's end a start still comes before its clean-up has the lock file (assumed). */
const SOON_MS = 10_000;

/** How often the clean-up looks whether the process has ended. */
const LOOK_MS = 1_000;

const endedAt = new WeakMap<Guest, number>();

/** To be called when a guest was stopped: Proxmox's `qm cleanup` comes a moment later. */
export function wentDown({ clock }: Sim, guest: Guest): void {
  endedAt.set(guest, clock.now());
}

/**
 * To be called by whoever starts a guest, with its lock file held. `qm cleanup` (qemu-server 9.2.6) is no task. It gets
 * the lock behind a start that comes soon, as in four of four recorded restarts (behaviour.md §16.2), then waits for the
 * process to end, and takes the new one for the old one.
 */
export function cleanUpBehind({ clock, flocks, options }: Sim, guest: Guest): void {
  const { cleanupMs = 0 } = options;
  const ended = endedAt.get(guest);
  endedAt.delete(guest);
  if (cleanupMs === 0 || ended === undefined || clock.now() - ended > SOON_MS) return;
  void flocks.hold(guestLock(guest.node, guest.vmid), Number.MAX_SAFE_INTEGER, async () => {
    const until = clock.now() + cleanupMs;
    while (clock.now() < until && runsUnsaved(guest))
      await clock.sleep(Math.min(until - clock.now(), LOOK_MS));
  });
}

/** A backup that stopped the guest has started it again: the clean-up then ends at once. */
function runsUnsaved({ running, config }: Guest): boolean {
  return running !== null && config['lock'] !== 'backup';
}

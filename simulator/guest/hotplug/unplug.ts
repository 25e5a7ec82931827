import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { bootDisks } from '../drives/boot-order';
import { hasBooted } from '../agent/booted';

/**
 * Takes a device away from a running guest. Fails for a disk that the guest boots from, and for a network device when
 * no system in the guest lets go of it. A device that the guest does not have is no error.
 */
export function unplug(sim: Sim, guest: Guest, key: string): void {
  if (guest.config[key] === undefined) return;
  if (bootDisks(guest.config).includes(key)) fail(`can't unplug bootdisk '${key}'`);
  // recordings 31 and 32: without an answer from the guest disks go, network devices stay
  if (key.startsWith('net') && !hasBooted(sim, guest)) {
    fail(`error on hot-unplugging device '${key}' - still busy in guest?`);
  }
}

import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';

/** A running guest whose pending changes are being hot-plugged. */
export interface Plugging {
  sim: Sim;
  guest: Guest;
  user: string;
  /** network, disk, cpu, memory, usb, cloudinit. */
  features: Set<string>;
}

/** Makes a change live and gives the value to keep; undefined when it has to wait. Throws when qemu or the guest refuses. */
export type Plug = (plugging: Plugging, key: string, value: string) => string | undefined;

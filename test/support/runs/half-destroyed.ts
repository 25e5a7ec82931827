import { applyEvent } from '../../../simulator/events/apply';
import type { Simulator } from '../../../simulator';
import { askToEnd } from '../cluster/ask';

/** A destroy that loses the quorum half-way (behaviour.md §13.1): the disks go, the configuration stays. How it ended. */
export async function halfDestroy(
  { simulator }: { simulator: Simulator },
  { node, vmid }: { node: string; vmid: number },
): Promise<string | undefined> {
  const event = { kind: 'quorum', quorate: false } as const;
  const path = `/nodes/${node}/qemu/${vmid}`;
  simulator.faults.add({ methods: ['DELETE'], path, count: 1, effect: { kind: 'event', event } });
  const { exitstatus } = await askToEnd(simulator, 'DELETE', path);
  applyEvent(simulator.sim, { kind: 'quorum', quorate: true });
  return exitstatus;
}

import { administratorOf } from '../cluster/administrator';
import type { Lab } from '../cluster/lab';
import { until } from '../processes/shared-lab';

/** Suspends guest 10000 to disk by hand, and waits until it is. */
export async function suspendToDisk(cluster: Lab): Promise<void> {
  const at = '/nodes/pve1/qemu/10000/status/suspend';
  expect(await administratorOf(cluster)('POST', at, { todisk: '1' })).toBe(true);
  await until(() => cluster.world.guests[10_000]?.config['lock'] === 'suspended');
}

import type { Answered, Params } from './ask';
import { openCluster } from './open-cluster';
import type { ClusterOptions } from './start-cluster';

/** A cluster where every task is done at once, and the calls that tests of a guest's configuration make most. */
export async function openGuests(options: ClusterOptions = {}) {
  const cluster = await openCluster({ timeScale: 1, taskMs: 0, ...options });
  const at = (vmid: number, rest: string): string => `/nodes/pve1/qemu/${vmid}/${rest}`;
  return {
    ...cluster,
    /** Creates a guest and waits for it. */
    create: async (vmid: number, params: Params = {}): Promise<void> => {
      const { exitstatus } = await cluster.run('POST', '/nodes/pve1/qemu', { vmid, ...params });
      if (exitstatus !== 'OK') throw new Error(exitstatus);
    },
    config: async (vmid: number, params: Params = {}): Promise<Record<string, unknown>> =>
      (await cluster.request('GET', at(vmid, 'config'), params)).data,
    put: (vmid: number, params: Params, token?: string): Promise<Answered> =>
      cluster.request('PUT', at(vmid, 'config'), params, token),
    /** What waits, by key: the pending value, or `delete`. */
    waiting: async (vmid: number): Promise<Record<string, unknown>> => {
      const { data } = await cluster.request('GET', at(vmid, 'pending'));
      const rows = (data as { key: string; pending?: unknown; delete?: number }[]).filter(
        row => row.pending !== undefined || row.delete !== undefined,
      );
      return Object.fromEntries(rows.map(row => [row.key, row.pending ?? `delete ${row.delete}`]));
    },
  };
}

export type OpenGuests = Awaited<ReturnType<typeof openGuests>>;

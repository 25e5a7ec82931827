/**
 * A Proxmox cluster that lives in memory and answers as a real one does.
 *
 * This room knows only Node. It shares no code with the reconciler, because it is what proves the reconciler:
 * it parses property strings, task ids and forms by itself.
 */
import { listen } from './server';
import type { Sim, SimOptions } from './sim';
import { createSim } from './sim';
import type { World } from './world';

export { defaultWorld } from './default-world';
export { loadWorld } from './load-world';
export type { World } from './world';

export interface Simulator {
  url: string;
  sim: Sim;
  close(): Promise<void>;
}

/** Starts a simulated cluster on loopback. The caller closes it. */
export async function startSimulator(
  world: World,
  options: Partial<SimOptions> & { host?: string; port?: number } = {},
): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, ...rest } = options;
  const sim = createSim(world, { seed: 1, timeScale: 1, lagMs: 0, ...rest });
  const { url, close } = await listen(sim, host, port);
  return {
    url,
    sim,
    close: async () => {
      sim.clock.close();
      await close();
    },
  };
}

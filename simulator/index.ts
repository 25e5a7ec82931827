/**
 * A Proxmox cluster that lives in memory and answers as a real one does.
 *
 * This room knows only Node. It shares no code with the reconciler, because it is what proves the reconciler:
 * it parses property strings, task ids and forms by itself.
 */
import type { Sim, SimOptions } from './sim';
import { createSim } from './sim';
import type { Identity } from './wire/certificate';
import { fingerprintOf, newIdentity } from './wire/certificate';
import { listen } from './wire/listen';
import { ApiService } from './wire/service';
import type { World } from './world';

export { defaultWorld } from './default-world';
export { loadWorld } from './load-world';
export type { World } from './world';

export interface Simulator {
  url: string;
  /** The certificate of the authority that vouches for the server, PEM. */
  ca: string;
  /** The server certificate's SHA-256, as Proxmox shows it. */
  fingerprint: string;
  world: World;
  sim: Sim;
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  identity: Identity;
}

/** Starts a simulated cluster on loopback. The caller closes it. */
export async function startSimulator(
  world: World,
  options: Partial<SimOptions & ListenOptions> = {},
): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, identity: given, ...rest } = options;
  const identity = given ?? newIdentity(world.nodes.map(({ name }) => name));
  const sim = createSim(world, { seed: 1, timeScale: 1, lagMs: 0, ...rest });
  const entry = world.nodes[0]?.name ?? 'pve1';
  const listening = await listen(new ApiService(sim, entry), identity, host, port);
  return {
    url: `https://${host}:${listening.port}`,
    ca: identity.ca,
    fingerprint: fingerprintOf(identity),
    world,
    sim,
    close: async () => {
      sim.clock.close();
      await listening.close();
    },
  };
}

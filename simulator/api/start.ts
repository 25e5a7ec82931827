import type { Administrator } from '../administrators/administrator';
import { startAdministrators } from '../administrators/work';
import type { Fault } from '../faults/fault';
import type { Faults } from '../faults/faults';
import type { Ledger } from '../control/ledger';
import { startDaemons } from '../daemons/start';
import type { Sim, SimOptions } from '../cluster/sim';
import { createSim } from '../cluster/sim';
import type { Before } from '../control/site';
import type { About } from '../control/watched';
import { createSite } from '../control/site';
import type { Identity } from '../wire/certificate';
import { fingerprintOf, newIdentity } from '../wire/certificate';
import type { Listening } from '../wire/listen';
import { listen } from '../wire/listen';
import { delayed } from './latency';
import { ApiService } from './node-api';
import { reachable } from './shown-url';
import type { World } from '../world';

export interface Simulator {
  url: string;
  /** The certificate of the authority that vouches for the server, PEM. */
  ca: string;
  /** The server certificate's SHA-256, as Proxmox shows it. */
  fingerprint: string;
  world: World;
  sim: Sim;
  /** What was asked so far. */
  ledger: Ledger;
  /** What goes wrong from now on. */
  faults: Faults;
  /** What the page at /_sim tells of this simulator; whoever runs it may add to it. */
  about: About;
  /** Puts a world, or the first one, in the place of what has become of it. */
  reset(world?: World): void;
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** Absent: a new authority and certificate. */
  identity: Identity;
  faults: Fault[];
  /** Who else works on the cluster. */
  administrators: readonly Administrator[];
  before: Before;
  /** How long each request takes at least, whatever the clock does: the way to a cluster and its pvedaemon take 20 to 60 ms. */
  latencyMs: number;
  /** How long a 401 waits. PVE: three seconds; here nothing, unless somebody asks for it. */
  unauthorizedMs: number;
  /** How long a silent connection stays open. PVE: five seconds. */
  idleMs: number;
  /** The names under which /_sim is served, besides addresses, localhost and the host that is listened at. */
  allowedHosts: readonly string[];
}

/** Starts a simulated cluster on loopback. The caller closes it. */
export async function startSimulator(
  world: World,
  options: Partial<SimOptions & ListenOptions> = {},
): Promise<Simulator> {
  const {
    host = '127.0.0.1',
    port = 0,
    identity: given,
    faults = [],
    administrators = [],
    before,
    latencyMs = 0,
    unauthorizedMs = 0,
    idleMs = 5000,
    allowedHosts = [],
    ...rest
  } = options;
  const identity = given ?? newIdentity(world.nodes.map(({ name }) => name));
  const sim = createSim(world, { seed: 1, timeScale: 1, lagMs: 0, ...rest }, identity.ca);
  startDaemons(sim);
  const network = { latencyMs };
  const site = createSite(sim, delayed(network, before), [host, ...allowedHosts], network);
  faults.forEach(fault => site.faults.add(fault));
  const entry = world.nodes[0]?.name ?? 'pve1';
  startAdministrators(site, administrators, entry);
  const listening = await listen(new ApiService(site, entry, unauthorizedMs, idleMs), identity, host, port);
  return {
    url: reachable(host, listening.port),
    ca: identity.ca,
    fingerprint: fingerprintOf(identity),
    world,
    sim,
    ledger: site.ledger,
    faults: site.faults,
    about: site.about,
    reset: site.reset,
    close: () => end(sim, listening),
  };
}

async function end(sim: Sim, listening: Listening): Promise<void> {
  sim.clock.close();
  await listening.close();
}

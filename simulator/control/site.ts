import type { Met } from '../faults/faults';
import { Faults } from '../faults/faults';
import { Ledger } from './ledger';
import { Readers } from './live/readers';
import { seededRandom } from '../random';
import type { Sim } from '../cluster/sim';
import { collectFigures } from '../views/statistics';
import type { World } from '../world';
import type { Network, Watched } from './watched';

/** Called before each request is looked at, which waits for it. For whoever runs the simulator in its own process. */
export type Before = (request: Met) => Promise<void> | void;

/** A simulated cluster and what watches and disturbs it. */
export interface Site extends Watched {
  before: Before;
  /** The names under which /_sim is served, besides addresses and localhost. */
  allowedHosts: readonly string[];
  /** The pages that follow what happens. */
  readers: Readers;
  /** Puts this world, or the one it started with, in the place of what has become of it; tasks and faults go too. */
  reset(world?: World): void;
}

/** Puts the ledger and the faults around a simulation. Faults draw from a source of their own, so that they can be repeated. */
export function createSite(
  sim: Sim,
  before: Before = () => undefined,
  allowedHosts: readonly string[] = [],
  network: Network = { latencyMs: 0 },
): Site {
  const initial = JSON.stringify(sim.world);
  const ledger = new Ledger();
  const faults = new Faults(seededRandom(sim.options.seed));
  const site: Omit<Site, 'readers'> = {
    sim,
    ledger,
    faults,
    before,
    allowedHosts,
    network,
    about: {},
    reset: world => {
      sim.tasks.clear();
      faults.clear();
      ledger.reset();
      sim.defects.clear();
      sim.asked.clear();
      const fresh: World = world ?? JSON.parse(initial);
      Object.assign(sim.world, fresh);
      collectFigures(sim);
    },
  };
  return withReaders(site);
}

/** All that can change the cluster ends with a request or begins with a waking of the clock. */
function withReaders(site: Omit<Site, 'readers'>): Site {
  const readers = new Readers(site);
  site.ledger.onRecord = () => readers.changed();
  site.sim.clock.onWake = () => readers.changed();
  return { ...site, readers };
}

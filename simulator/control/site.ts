import type { Met } from '../faults/faults';
import { Faults } from '../faults/faults';
import { Ledger } from './ledger';
import { seededRandom } from '../random';
import type { Sim } from '../cluster/sim';
import { collectFigures } from '../views/statistics';
import type { World } from '../world';

/** Called before each request is looked at, which waits for it. For whoever runs the simulator in its own process. */
export type Before = (request: Met) => Promise<void> | void;

/** A simulated cluster and what watches and disturbs it. */
export interface Site {
  sim: Sim;
  ledger: Ledger;
  faults: Faults;
  before: Before;
  /** The names under which /_sim is served, besides addresses and localhost. */
  allowedHosts: readonly string[];
  /** Puts this world, or the one it started with, in the place of what has become of it; tasks and faults go too. */
  reset(world?: World): void;
}

/** Puts the ledger and the faults around a simulation. Faults draw from a source of their own, so that they can be repeated. */
export function createSite(
  sim: Sim,
  before: Before = () => undefined,
  allowedHosts: readonly string[] = [],
): Site {
  const initial = JSON.stringify(sim.world);
  const ledger = new Ledger();
  const faults = new Faults(seededRandom(sim.options.seed));
  return {
    sim,
    ledger,
    faults,
    before,
    allowedHosts,
    reset: world => {
      sim.tasks.clear();
      faults.clear();
      ledger.reset();
      sim.defects.clear();
      const fresh: World = world ?? JSON.parse(initial);
      Object.assign(sim.world, fresh);
      collectFigures(sim);
    },
  };
}

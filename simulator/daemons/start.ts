import { localRound } from './local-manager';
import { managerRound } from './cluster-manager';
import type { Sim } from '../cluster/sim';
import { collectFigures } from '../views/statistics';

/** The manager and the nodes act in turn: a request waits up to ten seconds, and five more for its node. */
const HA_TURN_MS = 5_000;

/** Starts what runs in a cluster without being asked: statistics and HA. It ends with the clock. */
export function startDaemons(sim: Sim): void {
  const { lagMs } = sim.options;
  if (lagMs > 0) {
    collectFigures(sim);
    void every(sim, lagMs, () => collectFigures(sim));
  }
  const turns = [managerRound, localRound];
  void every(sim, HA_TURN_MS, turn => turns[turn % turns.length]?.(sim));
}

async function every(sim: Sim, ms: number, act: (turn: number) => void): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    await sim.clock.sleep(ms);
    try {
      act(turn);
    } catch (error) {
      // a defect of ours costs one round, not the cluster
      sim.defects.note(error);
    }
  }
}

import { localRound } from './local-manager';
import { managerRound } from './cluster-manager';
import type { Sim } from '../cluster/sim';
import { collectFigures } from '../views/statistics';

/** The manager and the nodes act in turn: a request waits up to ten seconds, and five more for its node. */
const HA_TURN_MS = 5_000;

/** Starts what runs in a cluster without being asked: statistics and HA. It ends with the clock. */
export function startDaemons(sim: Sim): void {
  setLag(sim, sim.options.lagMs);
  const turns = [managerRound, localRound];
  void every(sim, HA_TURN_MS, turn => turns[turn % turns.length]?.(sim));
}

/** Lets /cluster/resources lag so far behind from now on; 0: not at all. */
export function setLag(sim: Sim, lagMs: number): void {
  sim.options.lagMs = lagMs;
  if (lagMs <= 0) return;
  collectFigures(sim);
  void every(
    sim,
    lagMs,
    () => collectFigures(sim),
    () => sim.options.lagMs === lagMs,
  );
}

async function every(
  sim: Sim,
  ms: number,
  act: (turn: number) => void,
  goesOn: () => boolean = () => true,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    await sim.clock.sleep(ms);
    if (!goesOn()) return;
    try {
      act(turn);
    } catch (error) {
      // a defect of ours costs one round, not the cluster
      sim.defects.note(error);
    }
  }
}

import { brokenInvariants } from '../../../simulator/invariants/broken';
import { heldTarget } from '../../../simulator/replay/held-target';
import { sendRaw } from '../api/raw-client';
import { recordedWorld } from '../cluster/recorded-world';
import { ROOT, startCluster } from '../cluster/start-cluster';
import { recordedCredentials } from './recorded-credentials';

/** A fresh simulator that holds the world of the recordings, as a target to replay against. */
export async function startRecordedWorld(seed: number) {
  const world = recordedWorld();
  const simulator = await startCluster({ world, seed, timeScale: 'held', taskMs: 'by kind' });
  const target = heldTarget(simulator, sendRaw, recordedCredentials(ROOT.username, ROOT.password));
  /** What must never be, whatever was asked: to be called when no request is under way. */
  const broken = (): string[] => [...brokenInvariants(simulator.sim), ...simulator.sim.defects.all()];
  return { target, broken, close: () => simulator.close() };
}

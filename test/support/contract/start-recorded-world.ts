import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import recorded from '../../contract/recordings/world.json';
import { sendRaw } from '../api/raw-client';
import { recordedWorld } from '../cluster/recorded-world';
import { ROOT, startCluster } from '../cluster/start-cluster';
import type { Target } from './recording-replay';

/**
 * A fresh simulator that holds the world of the recordings, as a target to replay against. Its time stands still
 * but for what the replay waits for, so that a slow machine changes nothing.
 */
export async function startRecordedWorld(seed: number) {
  const world = recordedWorld();
  const simulator = await startCluster({ world, seed, timeScale: 'held', taskMs: 'by kind' });
  const target: Target = {
    base: `${simulator.url}/api2/json`,
    user: ROOT.username,
    password: ROOT.password,
    world: recorded as Target['world'],
    sleep: ms => simulator.sim.clock.advance(ms),
    during: answer => during(simulator.sim.clock, answer),
    control: (action, node) => control(simulator.url, action, node),
  };
  /** What must never be, whatever was asked: to be called when no request is under way. */
  const broken = (): string[] => [...brokenInvariants(simulator.sim), ...simulator.sim.defects.all()];
  return { target, broken, close: () => simulator.close() };
}

async function control(url: string, action: string, node: string): Promise<void> {
  const body = JSON.stringify({ action, node });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await sendRaw(url, { method: 'POST', path: '/_sim/node', headers, body });
  if (status !== 200) throw new Error(`${action} of ${node}: ${status} ${text}`);
}

/** How long an answer may take before the request is taken to wait for time to pass; real milliseconds. */
const PATIENCE_MS = 20;
const STEP_MS = 100;
/** Both ends of the connection live in this process: a request and its answer need a few turns of its event loop. */
const TURNS = 50;

/** Whoever made the recordings was not faster; some tell what has begun by the next request. */
const ROUND_TRIP_MS = 80;

async function during<T>(clock: Simulator['sim']['clock'], answer: Promise<T>): Promise<T> {
  let isPending = true;
  const settled = answer.finally(() => (isPending = false));
  settled.catch(() => undefined);
  // a process that did not get the processor has not waited: all that can be done without time is done first
  const isIdle = async (): Promise<void> => {
    for (let turn = 0; isPending && turn < TURNS; turn += 1)
      await new Promise(resolve => setImmediate(resolve));
  };
  await Promise.race([settled, pause(PATIENCE_MS)]);
  await isIdle();
  while (isPending) {
    await clock.advance(STEP_MS);
    await isIdle();
  }
  await clock.advance(ROUND_TRIP_MS);
  return settled;
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../api/start';
import type { Answer } from './compare';
import type { Credentials } from './logins';
import type { Target } from './player';
import type { Request } from './request';

/** How long an answer may take before the request is taken to wait for time to pass; real milliseconds. */
const PATIENCE_MS = 20;
const STEP_MS = 100;
/** Both ends of the connection live in this process: a request and its answer need a few turns of its event loop. */
const TURNS = 50;

/** Whoever made the recordings was not faster; some tell what has begun by the next request. */
const ROUND_TRIP_MS = 80;

export type Send = (base: string, request: Request) => Promise<Answer>;

/**
 * A simulator of this process whose clock is held. Its time stands still but for what the replay waits for, so that a slow
 * machine changes nothing.
 */
export function heldTarget(
  { url, sim: { clock } }: Pick<Simulator, 'url' | 'sim'>,
  send: Send,
  credentials: Credentials,
): Target {
  return {
    send: request => during(clock, send(`${url}/api2/json`, request)),
    credentials,
    sleep: ms => clock.advance(ms),
    control: (action, node) => control(url, send, action, node),
    comparesLogs: true,
  };
}

/** Makes something happen to a node of a simulator. */
export async function control(url: string, send: Send, action: string, node: string): Promise<void> {
  const body = JSON.stringify({ action, node });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await send(url, { method: 'POST', path: '/_sim/node', headers, body });
  if (status !== 200) throw new Error(`the simulator did not do ${action} of ${node}: ${status} ${text}`);
}

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

import { setTimeout as sleep } from 'node:timers/promises';
import { endState, foreignWrites, marked } from '../cluster/end-state';
import type { Json, Lab } from '../cluster/lab';
import { eachUntilDone } from '../in-parallel';
import type { Turns } from '../turns';
import type { OwnProcess, OwnProcesses } from './own-processes';

/** Longer than any test, also by a clock that runs fast: the request hangs until the cluster is closed. */
const FOR_EVER = 1_000_000_000;

/** When a process dies, beside its request `k`. */
export interface Death {
  work: 'done' | 'not-done';
  methods?: string[];
}

/**
 * The process dies before its next request is looked at, or when a write is done and its answer still to come. A read
 * that is done changes nothing: to die then is to die before it.
 */
export const deaths: Record<string, Death> = {
  'after request k': { work: 'not-done' },
  'before the answer to write k': { work: 'done', methods: ['POST', 'PUT', 'DELETE'] },
};

/** What is killed on its way, and in which clusters: each call of `open` gives one of its own. */
export interface KilledRuns {
  want: Json | undefined;
  open: (pace: 'quick' | 'slow') => Promise<Lab>;
  processes: OwnProcesses;
  /** The requests at which it is killed; else each. */
  turns?: Turns | undefined;
}

/** Kills a process at each of its requests, or at some; the next run ends as one that nobody killed. How many were killed. */
export async function endsAlikeWhenKilled(
  { want, open, processes, turns }: KilledRuns,
  { work, ...met }: Death,
): Promise<number> {
  const quiet = await open('quick');
  expect(await quiet.bring(want)).toEqual([]);
  const wanted = endState(quiet.simulator, 'web');
  await quiet.close();
  let killed = 0;
  const dies = async (k: number): Promise<boolean> => {
    const cluster = await open('slow');
    const effect = { kind: 'slow', ms: FOR_EVER, work } as const;
    cluster.simulator.faults.add({ path: '/**', ...met, after: k, effect });
    // of runs that share a worker, e2e/worker/killed tells
    const alone = processes.one(cluster.simulator, want, { PVE_RUN: 'alone' });
    const wasKilled = await killedAt(cluster, alone);
    if (wasKilled) killed += 1;
    expect([k, await cluster.bring(want)]).toEqual([k, []]);
    expect({ k, end: endState(cluster.simulator, 'web') }).toEqual({ k, end: wanted });
    expect(marked(cluster.world, 'web').length).toBe(want ? 1 : 0);
    expect(foreignWrites(cluster)).toEqual([]);
    await cluster.close();
    return !wasKilled;
  };
  await eachUntilDone(4, dies, turns);
  return killed;
}

/** Kills the process when the answer to one more request is due; whether that ever came. */
export async function killedAt({ simulator }: Lab, run: OwnProcess): Promise<boolean> {
  let isOver = false;
  void run.ended.then(() => (isOver = true));
  while (!isOver && simulator.faults.list()[0]?.hits === 0) await sleep(2);
  run.kill();
  await run.ended;
  const wasMet = simulator.faults.list()[0]?.hits !== 0;
  simulator.faults.clear();
  return wasMet;
}

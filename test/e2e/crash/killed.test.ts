import { setTimeout as sleep } from 'node:timers/promises';
import { endState, foreignWrites, marked } from '../../support/cluster/end-state';
import { eachUntilDone } from '../../support/in-parallel';
import type { Lab } from '../../support/cluster/lab';
import type { OwnProcess } from '../../support/processes/own-processes';
import { OwnProcesses } from '../../support/processes/own-processes';
import { cutShort, moves, preparing, reverts, scenarios } from '../../support/runs/scenarios';

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

/** Longer than any test: the request hangs until the cluster is closed. */
const FOR_EVER = 3_600_000;

/** Kills the process when the answer to one more request is due; whether that ever came. */
async function killedAt({ simulator }: Lab, run: OwnProcess): Promise<boolean> {
  let isOver = false;
  void run.ended.then(() => (isOver = true));
  while (!isOver && simulator.faults.list()[0]?.hits === 0) await sleep(2);
  run.kill();
  await run.ended;
  const wasMet = simulator.faults.list()[0]?.hits !== 0;
  simulator.faults.clear();
  return wasMet;
}

/**
 * The process dies before its next request is looked at, or when a write is done and its answer still to come. A read
 * that is done changes nothing: to die then is to die before it.
 */
const deaths: Record<string, { work: 'done' | 'not-done'; methods?: string[] }> = {
  'after request k': { work: 'not-done' },
  'before the answer to write k': { work: 'done', methods: ['POST', 'PUT', 'DELETE'] },
};

describe.each(Object.entries({ ...scenarios, ...cutShort, ...moves, ...reverts }))('%s', (_, scenario) => {
  it.each(Object.entries(deaths))(
    'ends alike when it is killed %s, for every k',
    async (_name, { work, ...met }) => {
      const open = await preparing(scenario);
      const quiet = await open();
      expect(await quiet.bring(scenario.want)).toEqual([]);
      const wanted = endState(quiet.simulator, 'web');
      await quiet.close();
      await eachUntilDone(4, async k => {
        // long enough for a task to be still at work when the next run begins
        const cluster = await open({ taskMs: 150 });
        const effect = { kind: 'slow', ms: FOR_EVER, work } as const;
        cluster.simulator.faults.add({ path: '/**', ...met, after: k, effect });
        // of runs that share a worker, e2e/worker/killed tells
        const alone = processes.one(cluster.simulator, scenario.want, { PVE_RUN: 'alone' });
        const wasKilled = await killedAt(cluster, alone);
        expect([k, await cluster.bring(scenario.want)]).toEqual([k, []]);
        expect({ k, end: endState(cluster.simulator, 'web') }).toEqual({ k, end: wanted });
        expect(marked(cluster.world, 'web').length).toBe(scenario.want ? 1 : 0);
        expect(foreignWrites(cluster)).toEqual([]);
        await cluster.close();
        return !wasKilled;
      });
    },
  );
});

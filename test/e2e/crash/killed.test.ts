import { OwnProcesses } from '../../support/processes/own-processes';
import { deaths, endsAlikeWhenKilled } from '../../support/processes/killed-runs';
import { cutShort, pinnedMove, preparing, reverts, scenarios } from '../../support/runs/scenarios';
import { turnsOf } from '../../support/turns';

/** In the gate each run dies at each of its writes, and after every fifth request; with KILLS=every after each. */
const FIFTH = 5;
const ways = { ...scenarios, ...cutShort, ...pinnedMove, ...reverts };
const names = Object.keys(ways);

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

describe.each(Object.entries(ways))('%s', (name, scenario) => {
  it.each(Object.entries(deaths))('ends alike when it is killed %s', async (_name, death) => {
    const prepared = await preparing(scenario);
    // long enough for a task to be still at work when the next run begins
    const open = (pace: 'quick' | 'slow') => prepared(pace === 'slow' ? { taskMs: 150 } : {});
    const turns = death.methods ? undefined : turnsOf(names.indexOf(name), FIFTH);
    const killed = await endsAlikeWhenKilled({ want: scenario.want, open, processes, turns }, death);
    expect(killed).toBeGreaterThan(0);
  });
});

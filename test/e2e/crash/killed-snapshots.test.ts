import { OwnProcesses } from '../../support/processes/own-processes';
import { deaths, endsAlikeWhenKilled } from '../../support/processes/killed-runs';
import { preparing, snapshots } from '../../support/runs/scenarios';
import { EVERY } from '../../support/turns';

/** In the gate at each write; with KILLS=every at each request too. Of reverts, killed.test.ts tells. */
const name = 'a snapshot before a change';
const scenario = snapshots[name]!;
const deathsOf = Object.entries(deaths).filter(([, { methods }]) => EVERY || methods !== undefined);

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

describe(name, () => {
  it.each(deathsOf)('ends alike when it is killed %s, for every k', async (death, how) => {
    const prepared = await preparing(scenario);
    const open = (pace: 'quick' | 'slow') => prepared(pace === 'slow' ? { taskMs: 150 } : {});
    const killed = await endsAlikeWhenKilled({ want: scenario.want, open, processes }, how);
    if (EVERY) console.log(`${name}, ${death}: ${killed} killed`);
    expect(killed).toBeGreaterThan(0);
  });
});

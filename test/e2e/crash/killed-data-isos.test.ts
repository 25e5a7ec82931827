import { OwnProcesses } from '../../support/processes/own-processes';
import { deaths, endsAlikeWhenKilled } from '../../support/processes/killed-runs';
import { dataIsos, preparing } from '../../support/runs/scenarios';
import { EVERY } from '../../support/turns';

/** In the gate a run dies at each write of this one; with KILLS=every at each request of all of them. */
const OF_THE_GATE = 'changed data of a machine that runs';
const rows = Object.entries(dataIsos).flatMap(([name, scenario]) =>
  Object.entries(deaths).flatMap(([when, death]) =>
    EVERY || (name === OF_THE_GATE && death.work === 'done') ? [{ name, when, scenario, death }] : [],
  ),
);

let processes: OwnProcesses;
let counts: string[];
beforeAll(() => {
  processes = new OwnProcesses();
  counts = [];
});
afterAll(() => {
  processes.end();
  if (EVERY) console.log(counts.join('\n'));
});

test.each(rows)('$name: no ISO stays when it is killed $when, for every k', async row => {
  const prepared = await preparing(row.scenario);
  // long enough for an upload to be still at work when the next run begins
  const open = (pace: 'quick' | 'slow') => prepared(pace === 'slow' ? { taskMs: 150 } : {});
  const killed = await endsAlikeWhenKilled({ want: row.scenario.want, open, processes }, row.death);
  counts.push(`${killed} killed: ${row.name}, ${row.when}`);
  expect(killed).toBeGreaterThan(0);
});

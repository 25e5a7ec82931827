import { OwnProcesses } from '../../support/processes/own-processes';
import { deaths, endsAlikeWhenKilled } from '../../support/processes/killed-runs';
import { cutShort, pinnedMove, preparing, reverts, scenarios } from '../../support/runs/scenarios';

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

describe.each(Object.entries({ ...scenarios, ...cutShort, ...pinnedMove, ...reverts }))(
  '%s',
  (_, scenario) => {
    it.each(Object.entries(deaths))('ends alike when it is killed %s, for every k', async (_name, death) => {
      const prepared = await preparing(scenario);
      // long enough for a task to be still at work when the next run begins
      const open = (pace: 'quick' | 'slow') => prepared(pace === 'slow' ? { taskMs: 150 } : {});
      expect(await endsAlikeWhenKilled({ want: scenario.want, open, processes }, death)).toBeGreaterThan(0);
    });
  },
);

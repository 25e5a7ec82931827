import { releaseActs, releaseStage } from '../../support/runs/release-stage';
import { turnsOf } from '../../support/turns';

/** In the gate each request has half of the acts before it; with `KILLS=every` all. */
const names = Object.keys(releaseActs);

let stage: Awaited<ReturnType<typeof releaseStage>>;
beforeAll(async () => (stage = await releaseStage()));
afterAll(() => stage.close());

test.each(Object.entries(releaseActs))(
  'somebody %s between two requests of a release: what he did stays, and a clear word',
  async (name, act) => {
    const { faults, count } = await stage.faultsOf(act, turnsOf(names.indexOf(name), 2));
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(2);
  },
);

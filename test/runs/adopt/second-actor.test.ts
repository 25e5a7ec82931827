import { adoptionActs, adoptionStage } from '../../support/runs/adoption-second-actor';
import { turnsOf } from '../../support/turns';

/** In the gate each request has half of the acts before it; with `KILLS=every` all. */
const names = Object.keys(adoptionActs);

let stage: Awaited<ReturnType<typeof adoptionStage>>;
beforeAll(async () => (stage = await adoptionStage()));
afterAll(() => stage.close());

test.each(Object.entries(adoptionActs))(
  'somebody %s between two requests of its adoption: no mark on another one, and a clear word',
  async (name, act) => {
    const { faults, count } = await stage.faultsOf(act, { turns: turnsOf(names.indexOf(name), 2) });
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(2);
  },
);

test('a guest without a uuid of its own is not mistaken for one that was made after it', async () => {
  const act = adoptionActs['deletes it and makes one of the same shape']!;
  expect((await stage.faultsOf(act, { hasUuid: false })).faults).toEqual([]);
});

import { adoptionActs, adoptionStage } from '../../support/runs/adoption-second-actor';

let stage: Awaited<ReturnType<typeof adoptionStage>>;
beforeAll(async () => (stage = await adoptionStage()));
afterAll(() => stage.close());

test.each(Object.entries(adoptionActs))(
  'somebody %s between two requests of its adoption: no mark on another one, and a clear word',
  async (_, act) => {
    const { faults, count } = await stage.faultsOf(act);
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(2);
  },
);

test('a guest without a uuid of its own is not mistaken for one that was made after it', async () => {
  const act = adoptionActs['deletes it and makes one of the same shape']!;
  expect((await stage.faultsOf(act, { hasUuid: false })).faults).toEqual([]);
});

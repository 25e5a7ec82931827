import { adoptionActs, adoptionStage } from '../../support/runs/adoption-second-actor';
import { ACTS, BEFORE_SOME, turnsOf } from '../../support/turns';

const names = Object.keys(adoptionActs);

let stage: Awaited<ReturnType<typeof adoptionStage>>;
beforeAll(async () => (stage = await adoptionStage('state')));
afterAll(() => stage.close());

test.each(Object.entries(adoptionActs))(
  `somebody %s while it moves in from a state, ${BEFORE_SOME}: no mark on another one, and the other guest moves`,
  async (name, act) => {
    const { faults, count } = await stage.faultsOf(act, { turns: turnsOf(names.indexOf(name), ACTS) });
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(1);
  },
);

test('a guest without a uuid of its own is not mistaken for one that was made after it', async () => {
  const act = adoptionActs['deletes it and makes one of the same shape']!;
  const turns = turnsOf(1, ACTS);
  expect((await stage.faultsOf(act, { hasUuid: false, turns })).faults).toEqual([]);
});

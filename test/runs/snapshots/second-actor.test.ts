import type { World } from '../../../simulator';
import { preparedWorld, reverts, snapshots } from '../../support/runs/scenarios';
import { actsOfTheGate, actsOnSnapshots } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';
import { ACTS, BEFORE_SOME, turnsOf } from '../../support/turns';

/** Each request has a quarter of these before it; with `KILLS=every` all. */
const tried = { ...actsOfTheGate, ...actsOnSnapshots };
const names = Object.keys(tried);

describe.each([...Object.entries(snapshots), ...Object.entries(reverts).slice(0, 1)])('%s', (_, way) => {
  let world: World;
  beforeAll(async () => {
    world = await preparedWorld(way);
  });

  it.each(Object.entries(tried))(`somebody else %s, ${BEFORE_SOME}`, async (name, act) => {
    expect(
      await secondActorFaults(world, way.want, act, { turns: turnsOf(names.indexOf(name), ACTS) }),
    ).toEqual([]);
  });
});

import type { World } from '../../../simulator';
import { preparedWorld } from '../../support/runs/scenarios';
import { actsOfTheGate } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';
import { comingAndGoing } from '../../support/runs/second-actor-scenarios';
import { ACTS, BEFORE_SOME, turnsOf } from '../../support/turns';

/** Each request has a quarter of these before it; `npm run test:campaign:acts` and `KILLS=every` have all. */
const names = Object.keys(actsOfTheGate);

describe.each(Object.entries(comingAndGoing))('%s', (_, way) => {
  let world: World;
  beforeAll(async () => {
    world = await preparedWorld(way);
  });

  it.each(Object.entries(actsOfTheGate))(`somebody else %s, ${BEFORE_SOME}`, async (name, act) => {
    expect(
      await secondActorFaults(world, way.want, act, { turns: turnsOf(names.indexOf(name), ACTS) }),
    ).toEqual([]);
  });
});

import type { World } from '../../../simulator';
import { preparedWorld } from '../../support/runs/scenarios';
import { actsOfTheGate } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';
import { changing } from '../../support/runs/second-actor-scenarios';

/** `npm run test:campaign:acts` does the same with whatever else somebody may do. */
describe.each(Object.entries(changing))('%s', (_, way) => {
  let world: World;
  beforeAll(async () => {
    world = await preparedWorld(way);
  });

  it.each(Object.entries(actsOfTheGate))('somebody else %s, before whichever request', async (_name, act) => {
    expect(await secondActorFaults(world, way.want, act)).toEqual([]);
  });
});

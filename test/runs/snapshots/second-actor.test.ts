import type { World } from '../../../simulator';
import { preparedWorld, reverts, snapshots } from '../../support/runs/scenarios';
import { actsOfTheGate, actsOnSnapshots } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';

describe.each([...Object.entries(snapshots), ...Object.entries(reverts).slice(0, 1)])('%s', (_, way) => {
  let world: World;
  beforeAll(async () => {
    world = await preparedWorld(way);
  });

  it.each(Object.entries({ ...actsOfTheGate, ...actsOnSnapshots }))(
    'somebody else %s, before whichever request',
    async (_name, act) => {
      expect(await secondActorFaults(world, way.want, act)).toEqual([]);
    },
  );
});

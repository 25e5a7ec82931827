import type { World } from '../../../simulator';
import { preparedWorld } from '../../support/runs/scenarios';
import { acts } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';
import { planned } from '../../support/runs/second-actor-scenarios';
import { ACTS, BEFORE_SOME, turnsOf } from '../../support/turns';

/** Of what is made, what may be in its place; `npm run test:campaign:acts` does the rest. */
const toWhatIsMade = [
  'takes the mark away',
  'moves it',
  'deletes it and makes another',
  'clones the template under its name',
];

/** The plan is made before, and what it knew goes along: the first act of each comes between the two. */
describe.each(Object.entries(planned))('%s', (_, way) => {
  let world: World;
  beforeAll(async () => {
    world = await preparedWorld(way);
  });

  const tried = way.have ? Object.keys(acts) : toWhatIsMade;
  it.each(tried)(`somebody else %s, ${BEFORE_SOME}`, async name => {
    const turns = turnsOf(tried.indexOf(name), ACTS);
    expect(await secondActorFaults(world, way.want, acts[name]!, { isPlanned: true, turns })).toEqual([]);
  });
});

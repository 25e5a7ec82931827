/**
 * Everything that somebody else may do, before each request of each way of a machine: `npm run test:campaign:acts`.
 * Nothing in it is left to chance.
 */
import { preparedWorld } from '../support/runs/scenarios';
import { acts } from '../support/runs/second-actor';
import { secondActorFaults } from '../support/runs/second-actor-faults';
import { changing, comingAndGoing, planned } from '../support/runs/second-actor-scenarios';

async function main(): Promise<void> {
  for (const [way, scenario] of Object.entries({ ...comingAndGoing, ...changing, ...planned })) {
    const world = await preparedWorld(scenario);
    for (const [name, act] of Object.entries(acts)) {
      const faults = await secondActorFaults(world, scenario.want, act, { isPlanned: way in planned });
      console.log(`${way}, somebody else ${name}: ${faults.length === 0 ? 'well' : faults.join('\n')}`);
      if (faults.length > 0) process.exitCode = 1;
    }
  }
}

void main();

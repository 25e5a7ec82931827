import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadWorld, startSimulator } from '../../simulator';
import type { Target } from './recording-replay';

const TIME_SCALE = 20;
const PASSWORD = 'recorded';

/** A fresh simulator that holds the world of the recordings, as a target to replay against. */
export async function startRecordedWorld(seed: number) {
  const file = join(__dirname, '../contract/recordings/world.json');
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const world = loadWorld(json);
  const root = world.access.users['root@pam'];
  if (root) root.password = PASSWORD;
  const simulator = await startSimulator(world, { seed, timeScale: TIME_SCALE });
  const target: Target = {
    base: `${simulator.url}/api2/json`,
    user: 'root@pam',
    password: PASSWORD,
    world: json as Target['world'],
    timeScale: TIME_SCALE,
  };
  return { target, broken: () => [] as string[], close: () => simulator.close() };
}

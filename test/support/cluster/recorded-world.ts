import type { World } from '../../../simulator';
import { loadWorld } from '../../../simulator';
import recorded from '../../contract/recordings/world.json';

/** The world of the recordings, anew at each call, where root@pam has this password. */
export function recordedCluster(password: string): World {
  const world = loadWorld(structuredClone(recorded));
  world.access.users['root@pam']!.password = password;
  return world;
}

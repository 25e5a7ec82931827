import type { World } from '../../../simulator';
import { loadWorld } from '../../../simulator';
import recorded from '../../contract/recordings/world.json';

/** The world of the recordings, anew at each call. */
export function recordedWorld(): World {
  return loadWorld(structuredClone(recorded));
}

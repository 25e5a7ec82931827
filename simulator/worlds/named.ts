import { loadWorld } from '../world-file/load';
import type { World } from '../world';
import { homelab } from './homelab';
import { oldRelease } from './old-release';
import { threeNodesCeph } from './three-nodes-ceph';

/** Each is a world file, and is read and checked as one. */
const WORLDS: ReadonlyMap<string, () => object> = new Map([
  ['homelab', homelab],
  ['three-nodes-ceph', threeNodesCeph],
  ['old-8.4', oldRelease],
]);

export const WORLD_NAMES: readonly string[] = [...WORLDS.keys()];

/** The world of this name; undefined where there is none. */
export function namedWorld(name: string): World | undefined {
  const file = WORLDS.get(name);
  return file && loadWorld(file());
}

import type { World } from '../world';

/** Whether the cluster is of release 8, where HA has groups instead of rules. */
export function isRelease8({ version }: World): boolean {
  return Number.parseInt(version.release, 10) < 9;
}

import { fail } from './failure';
import type { World } from './world';

/** Fails when the cluster has lost its quorum. The text differs by what was asked; the usual one is the default. */
export function needQuorum(world: World, text = 'cluster not ready - no quorum?'): void {
  if (world.cluster && !world.cluster.quorate) fail(text);
}

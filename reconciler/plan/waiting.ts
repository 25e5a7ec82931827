import type { Change } from '../action';
import { compare } from '../machine/compare';
import { sayDeleted } from '../machine/leaving-words';
import type { Scene } from '../machine/scene';
import { wantsOf } from '../machine/parts/wants-of';

/**
 * What was written and waits for a restart: it differs from what runs, and not from what will run. Only what the
 * spec wants: what others left pending is not ours to apply.
 */
export function waitingFor(scene: Scene): Change[] {
  if (scene.config === scene.current) return [];
  const differing = (config: Scene['config']): Change[] =>
    compare(wantsOf({ ...scene, config }), config, () => 'restart').changes;
  const still = differing(scene.config).map(({ field }) => field);
  const waiting = differing(scene.current).filter(({ field }) => !still.includes(field));
  return sayDeleted(waiting, scene);
}

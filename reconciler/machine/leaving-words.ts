import type { Change } from '../action';
import { readDrive } from '../guest/drive';
import { stillLeaving } from './leaving-volumes';
import type { Scene } from './scene';

/** Changes that also say which disks go with their volumes: those are deleted by a later write than this plan's. */
export function sayDeleted(changes: readonly Change[], scene: Scene): Change[] {
  const leaving = stillLeaving(scene) ?? [];
  const fields = Object.entries(scene.slots.goneDisks)
    .filter(([, slot]) => leaving.includes(readDrive(scene.config[slot] ?? scene.current[slot] ?? '').file))
    .map(([name]) => `disks[${name}]`);
  return changes.map(change =>
    change.to === undefined && fields.includes(change.field)
      ? { ...change, to: `(none), and its volume is deleted${when(change, scene)}` }
      : change,
  );
}

/** PVE deletes no volume of a guest that is protected: that waits where nobody restarts it before the protection. */
function when({ effect }: Change, { spec }: Scene): string {
  if (effect !== 'restart') return '';
  const isGuarded = spec.protection === true && spec.restart !== 'whenNeeded';
  return ` after the next restart${isGuarded ? ', once the machine is not protected' : ''}`;
}

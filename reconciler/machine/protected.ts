import type { Scene } from './scene';

/** PVE removes no volume from a guest that is protected, also none that was detached. */
export function isProtected({ running }: Pick<Scene, 'running'>): boolean {
  return Number(running.protection ?? 0) === 1;
}

/** Whether the spec takes the protection away. */
export function isLifted({ spec }: Pick<Scene, 'spec'>): boolean {
  return spec.protection === false || spec.clear?.includes('protection') === true;
}

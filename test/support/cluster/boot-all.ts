import type { Lab } from './lab';

/** Lets a system run in every guest: without one a guest neither gives devices back nor shuts down. */
export function bootAll({ world }: Pick<Lab, 'world'>): void {
  for (const guest of Object.values(world.guests)) {
    guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  }
}

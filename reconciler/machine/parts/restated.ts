import { propertiesOf } from '../../guest/configuration';
import type { Scene } from '../scene';
import type { Want } from '../want';

/**
 * The wants that keep a device which somebody marked for removal at the next start: what it is now, said again.
 * Empty when nothing is there. Its volume and MAC address stay the same.
 */
export function restated(field: string, slot: string, { next, running }: Scene): Want[] {
  if (next[slot] !== undefined || running[slot] === undefined) return [];
  return Object.entries(propertiesOf(slot, running[slot])).map(([property, value]) => ({
    field,
    key: slot,
    property,
    value,
  }));
}

/** The same, or where nothing is there that could stay: what makes it. */
export function restatedOr(field: string, slot: string, scene: Scene, made: () => Want[]): Want[] {
  const there = restated(field, slot, scene);
  return there.length > 0 ? there : made();
}

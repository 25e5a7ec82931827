import { propertiesOf } from '../../guest/configuration';
import type { Scene } from '../scene';
import type { Want } from '../want';

/**
 * The wants that keep a device which somebody marked for removal at the next start: what it is now, said again.
 * Empty when nothing is there. Its volume and MAC address stay the same.
 */
export function restated(field: string, slot: string, { config, current }: Scene): Want[] {
  if (config[slot] !== undefined || current[slot] === undefined) return [];
  return Object.entries(propertiesOf(slot, current[slot])).map(([property, value]) => ({
    field,
    key: slot,
    property,
    value,
  }));
}

import { sourceIds, type FleetMachine } from '../../spec';
import type { ListedGuest } from '../observed';

/** A machine that is to be made in the same run as its clone, as a listing will show it. Its number is chosen later. */
export function futureGuest(
  { id, vmid = 0, memory = 0, asTemplate = false }: FleetMachine,
  node: string,
): ListedGuest {
  return {
    ...{ vmid, node, memory, name: id, type: 'qemu', tags: [], template: asTemplate, power: 'stopped' },
    ...{ lock: undefined, pool: undefined, haManaged: false },
  };
}

/**
 * New machines in the order in which they are placed: those that are cloned from another new one come after it. Who is
 * cloned from himself over others comes last.
 */
export function generations(machines: readonly FleetMachine[]): FleetMachine[][] {
  const found: FleetMachine[][] = [];
  let left = [...machines];
  while (left.length > 0) {
    const ids = new Set(left.map(({ id }) => id));
    const next = left.filter(({ image }) => !sourceIds(image).some(id => ids.has(id)));
    found.push(next.length > 0 ? next : left);
    left = next.length > 0 ? left.filter(machine => !next.includes(machine)) : [];
  }
  return found;
}

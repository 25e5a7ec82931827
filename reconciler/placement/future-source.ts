import { sourceIds, type FleetMachine } from '../../spec';
import { isDriveKey } from '../guest/key-kinds';
import { bootDiskSlot, slotsOf } from '../guest/slot-names';
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

/** What its configuration will say of disks and processors. `brought`: the configuration of what it is cloned from. */
export function futureConfig(
  { cpu, memory, disks = [] }: FleetMachine,
  brought: Readonly<Record<string, string>>,
): Record<string, string> {
  const root = disks.find(({ name }) => name === 'root');
  const rootSlot = bootDiskSlot(brought);
  const kept = Object.entries(brought).map(([key, text]): [string, string] => [
    key,
    root?.storage !== undefined && isDriveKey(key) ? text.replace(/^[^:,]+:/, `${root.storage}:`) : text,
  ]);
  const made = disks
    .filter(disk => disk !== root || rootSlot === undefined)
    .flatMap(({ storage, existingVolume }) =>
      storage === undefined && existingVolume === undefined ? [] : (existingVolume ?? `${storage}:new`),
    );
  const free = slotsOf('scsi').filter(slot => brought[slot] === undefined);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(made.map((text, index) => [free[index] ?? '', text])),
    ...(rootSlot === undefined && made.length > 0 ? { boot: `order=${free[0]}` } : {}),
    ...(cpu?.cores === undefined ? {} : { cores: String(cpu.cores) }),
    ...(cpu?.sockets === undefined ? {} : { sockets: String(cpu.sockets) }),
    ...(memory === undefined ? {} : { memory: String(memory / 2 ** 20) }),
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

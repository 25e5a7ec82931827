import type { FleetMachine } from '../../spec';
import { isCloned } from '../mark/image-words';

/** The room that a new machine's volumes take, by storage. What a clone brings is not known here. */
export function newVolumes({ image, disks = [] }: FleetMachine): Map<string, number> {
  const root = disks.find(({ name }) => name === 'root');
  const room = new Map<string, number>();
  for (const { name, storage = root?.storage, size = 0, existingVolume } of disks) {
    if (storage === undefined || existingVolume !== undefined) continue;
    const isBrought = name === 'root' && isCloned(image);
    room.set(storage, (room.get(storage) ?? 0) + (isBrought ? 0 : size));
  }
  return room;
}

/** The storages whose volumes must be there already: an ISO's, and those of disks that are only attached. */
export function usedStorages({ image, disks = [] }: FleetMachine): string[] {
  const volumes = [image?.iso, ...disks.map(({ existingVolume }) => existingVolume)];
  return volumes.flatMap(volume => (volume === undefined ? [] : [volume.slice(0, volume.indexOf(':'))]));
}

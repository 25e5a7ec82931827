import { untouched } from '../../action';
import { isDisk, readDrive } from '../../guest/drive';
import { DRIVE_SLOTS } from '../../guest/slot-names';
import { isUnremembered } from '../device-slots';
import { knownDisks } from '../known-devices';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/**
 * Disks of a guest that is to be taken over, of which nothing tells which one they are: a new, empty one would be made
 * beside the one that is meant.
 */
export function unrememberedDisks({ spec, origin, next, running, mark, vmid }: Scene): Problem[] {
  if (spec.disks === undefined || !isUnremembered(origin, mark?.disks)) return [];
  const config = { ...running, ...next };
  const known = knownDisks(spec, config);
  if (!('doubtful' in known)) return [];
  const there = DRIVE_SLOTS.filter(slot => isDisk(config[slot])).map(
    slot => `${slot} (${readDrive(config[slot]).file})`,
  );
  return known.doubtful.map(name => {
    const detail = `nothing tells which of the disks of VM ${vmid} is disk "${name}", or whether it is a new one: not exactly one that is left has its type, size and storage. VM ${vmid} has ${there.join(', ')}.`;
    const remedy = `Give disks[${name}] its slot in the spec: the slot of that disk, or a free one for a new disk. You may remove it again after the apply.`;
    return { field: `disks[${name}]`, ...untouched('which-device', detail, remedy) };
  });
}

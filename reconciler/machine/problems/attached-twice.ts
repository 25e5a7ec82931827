import { diskType, type DiskSpec } from '../../../spec';
import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import { busOf } from '../../guest/slot-names';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/**
 * Disks that this plan would attach, and whose volume the guest has in another slot, now or after its next start. PVE attaches
 * it a second time without a word, and two disks that write to one volume destroy it.
 */
export function attachedTwice(scene: Scene): Problem[] {
  return (scene.spec.disks ?? []).flatMap(disk => {
    const slot = scene.slots.disks[disk.name];
    if (slot === undefined || scene.next[slot] !== undefined) return [];
    // what somebody marked for removal is attached again as it runs
    const running = scene.running[slot];
    const volume = running === undefined ? disk.existingVolume : readDrive(running).file;
    const there = volume === undefined ? undefined : otherSlot(volume, slot, scene);
    return volume === undefined || there === undefined ? [] : [twice(disk, { volume, slot, there }, scene)];
  });
}

function otherSlot(volume: string, slot: string, { next, running }: Scene): string | undefined {
  const slots = [...Object.keys(next), ...Object.keys(running)].filter(isDriveKey);
  const has = (text: string | undefined): boolean => readDrive(text).file === volume;
  return slots.find(each => each !== slot && (has(next[each]) || has(running[each])));
}

interface Twice {
  volume: string;
  slot: string;
  there: string;
}

function twice(disk: DiskSpec, { volume, slot, there }: Twice, scene: Scene): Problem {
  const { slots, vmid } = scene;
  const { name } = disk;
  const other = Object.entries(slots.disks).find(([, at]) => at === there)?.[0];
  const as = other === undefined ? '' : `, as disk "${other}"`;
  const detail = `disk "${name}" is to be ${volume} in ${slot}, and VM ${vmid} has that volume in ${there}${as}: two disks would write to one volume.`;
  const remedy = wayOut(disk, { slot, there }, { other, scene });
  return { field: `disks[${name}]`, to: volume, ...untouched('attached-twice', detail, remedy) };
}

function wayOut(
  disk: DiskSpec,
  { slot, there }: Omit<Twice, 'volume'>,
  { other, scene: { running, vmid } }: { other: string | undefined; scene: Scene },
): string {
  const { name } = disk;
  const isOthersType = disk.type !== undefined && busOf(there) !== diskType(disk);
  const saying = `say slot: "${there}" in disks[${name}]${isOthersType ? ' and remove its type' : ''}`;
  if (busOf(there) === undefined) return `Name another volume: that one is the machine's own ${there}.`;
  if (running[slot] !== undefined)
    return `It runs in ${slot}, and somebody wants it in ${there} from the next start on. Take that back (qm set ${vmid} --revert ${there}); or shut the guest down, and ${saying}. Then run again.`;
  if (other !== undefined)
    return `Name another volume in disks[${name}]; or take disk "${other}" out of the spec and ${saying}: then it is the same disk by its new name.`;
  return `To leave it there, ${saying}. Or shut the guest down and detach it there (qm set ${vmid} --delete ${there} deletes nothing, and is refused while the guest is protected), and run again.`;
}

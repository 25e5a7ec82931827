import { formatSize } from '../../spec';
import { isDisk, readDrive } from '../guest/drive';
import type { Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';

/**
 * The disks of which nobody can tell whether they are as large as wanted. Proxmox writes the size into each line that it
 * is given (behaviour.md §4); one that was edited by hand or restored from elsewhere may lack it (assumed).
 */
export function unknownSizes({ spec, slots, running }: Scene, { node, vmid }: ObservedGuest): string[] {
  return (spec.disks ?? []).flatMap(({ name, size }) => {
    const line = running[slots.disks[name] ?? ''];
    if (size === undefined || !isDisk(line) || readDrive(line).bytes !== undefined) return [];
    return [
      `disk ${name}: Proxmox names no size of it. Nobody can tell whether it has the ${formatSize(size)} that are wanted, and it is not grown. To have its size written: qm disk rescan --vmid ${vmid} on ${node}.`,
    ];
  });
}

import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** The storage of the image's root disk, and the other one that the spec wants; undefined: they do not differ. */
export function rootElsewhere({ spec, slots, next }: Scene): { there: string; wanted: string } | undefined {
  const wanted = spec.disks?.find(({ name }) => name === 'root')?.storage;
  const there = readDrive(next[slots.disks['root'] ?? '']).storage;
  if (wanted === undefined || there === undefined || wanted === there) return undefined;
  return { there, wanted };
}

/** PVE: a linked clone stays on the storage of its template (behaviour.md §15.10, §15.17). */
export function linkedElsewhere(scene: Scene): Problem[] {
  const { spec } = scene;
  const { source } = scene.place ?? {};
  const other = rootElsewhere(scene);
  if (other === undefined || spec.image?.clone !== 'linked' || source?.template !== true) return [];
  const { name, vmid } = source;
  const { there, wanted } = other;
  const detail = `Disk "root" is to be on storage '${wanted}', and its template ${name} (VM ${vmid}) is on '${there}': a linked clone stays there.`;
  const remedy = `Set storage to "${there}", or image.clone to "full", then run again.`;
  const place = { field: 'disks[root].storage', from: there, to: wanted };
  return [{ ...place, ...untouched('linked-storage', detail, remedy) }];
}

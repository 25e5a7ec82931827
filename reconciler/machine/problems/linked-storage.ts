import { readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { disksNotLinkable } from '../../guest/base-volume';
import type { ObservedCluster } from '../../observed';

/** The storage of the image's root disk, and the other one that the spec wants; undefined: they do not differ. */
export function rootElsewhere({ spec, slots, config }: Scene): { there: string; wanted: string } | undefined {
  const wanted = spec.disks?.find(({ name }) => name === 'root')?.storage;
  const there = readDrive(config[slots.disks['root'] ?? '']).storage;
  if (wanted === undefined || there === undefined || wanted === there) return undefined;
  return { there, wanted };
}

/** PVE: a linked clone stays on the storage of its template (behaviour.md §15.10, §15.17). */
export function linkedElsewhere(scene: Scene): Problem[] {
  const { spec, context } = scene;
  const other = rootElsewhere(scene);
  if (other === undefined || spec.image?.clone !== 'linked' || context.source?.template !== true) return [];
  const { name, vmid } = context.source;
  const { there, wanted } = other;
  return [
    {
      field: 'disks[root].storage',
      from: there,
      to: wanted,
      why: 'linked-storage',
      detail: `Disk "root" is to be on storage '${wanted}', and its template ${name} (VM ${vmid}) is on '${there}': a linked clone stays there.`,
      remedy: `Set storage to "${there}", or image.clone to "full", then run again.`,
      changed: 'nothing',
    },
  ];
}

/** PVE makes linked clones of base volumes only: what a template was made of, where its storage has such. */
export function notLinkable(scene: Scene, { nodes }: ObservedCluster): Problem[] {
  const { spec, config, context } = scene;
  const { source } = context;
  const isFull = spec.image?.clone === 'full' || context.destination !== undefined;
  if (source?.template !== true || source.isComing === true || isFull) return [];
  if (spec.image?.clone === undefined && rootElsewhere(scene) !== undefined) return [];
  const node = nodes.find(({ name }) => name === source.node);
  const disks = disksNotLinkable(config, node?.storages ?? node?.listedStorages ?? []);
  if (disks.length === 0) return [];
  const { name, vmid } = source;
  const files = disks.map(({ slot, file }) => `${slot} (${file})`).join(', ');
  const lines = disks.map(({ slot }) => `qm template ${vmid} --disk ${slot}`).join('; ');
  return [
    {
      field: 'image.clone',
      to: 'linked',
      why: 'not-linkable',
      detail: `template ${name} (VM ${vmid}) has no base volume in ${files}, so that no linked clone can be made of it: its storage has none, or the making of the template was cut short.`,
      remedy: `Set image.clone to "full", or finish the template on ${source.node} (${lines}), then run again.`,
      changed: 'nothing',
    },
  ];
}

import { untouched } from '../../action';
import { isDataIso } from '../data-iso/data-iso-name';
import { busOf } from '../../guest/slot-names';
import { compare } from '../compare';
import { existingVolume } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { wantsOf } from '../parts/wants-of';

/** Pools, volumes and snapshots that a plan names and that are not there, as far as they were read. */
export function absentReferences(scene: Scene, node: string | undefined): Problem[] {
  return [...pool(scene), ...volumes(scene, node ?? ''), ...snapshot(scene)];
}

function pool({ spec, context: { facts } }: Scene): Problem[] {
  const there = facts?.pools;
  if (spec.pool === undefined || there === undefined || there.includes(spec.pool)) return [];
  const detail = `pool '${spec.pool}' not found; the cluster has ${listed(there)}.`;
  return [absent('pool', 'pool', spec.pool, detail, there)];
}

function volumes(scene: Scene, node: string): Problem[] {
  const known = scene.context.facts?.volumes;
  if (known === undefined) return [];
  const { set } = compare(wantsOf(scene), scene.config);
  return Object.entries(set).flatMap(([key, text]) => {
    const volume = busOf(key) === undefined ? undefined : existingVolume(text);
    // ours is uploaded before it is written
    if (volume === undefined || isDataIso(volume)) return [];
    const [storage = ''] = volume.split(':');
    const there = known[storage];
    if (there === undefined || there.includes(volume)) return [];
    const alike = there.filter(one => isIso(one) === isIso(volume));
    const detail = `volume '${volume}' not found on node ${node}; storage '${storage}' has ${listed(alike)}.`;
    return [absent('volume', key === scene.slots.cdrom ? 'cdrom' : key, volume, detail, alike)];
  });
}

function snapshot({ spec, context }: Scene): Problem[] {
  const wanted = spec.image?.snapshot;
  const there = context.facts?.sourceSnapshots;
  if (wanted === undefined || there === undefined || there.includes(wanted)) return [];
  const { vmid, name } = context.source ?? { vmid: 0, name: '' };
  const detail = `VM ${vmid} (${name}) has no snapshot '${wanted}'; it has ${listed(there)}.`;
  return [absent('snapshot', 'image.snapshot', wanted, detail, there)];
}

function isIso(volume: string): boolean {
  return volume.includes(':iso/');
}

const MOST = 8;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).join(', ') || 'none that you may see';
  return names.length > MOST ? `${shown} and ${names.length - MOST} more` : shown;
}

function absent(kind: string, field: string, to: string, detail: string, there: readonly string[]): Problem {
  const remedy =
    there.length > 0 ? 'Name one of these, or make it first.' : 'Make it first, or let the user see it.';
  return { field, to, ...untouched(`${kind}-not-found`, detail, remedy) };
}

import { untouched } from '../../action';
import { isDataIso } from '../data-iso/data-iso-name';
import { busOf } from '../../guest/slot-names';
import { compare } from '../compare';
import { existingVolume, readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { wantsOf } from '../parts/wants-of';

/** Pools, volumes and snapshots that a plan names and that are not there. `inPool`: the pool where it is. */
export function absentReferences(scene: Scene, inPool: string | undefined): Problem[] {
  return [...pool(scene, inPool), ...volumes(scene), ...snapshot(scene)];
}

function pool({ spec, context: { facts } }: Scene, inPool: string | undefined): Problem[] {
  if (spec.pool === undefined || spec.pool === inPool) return [];
  const there = facts.ask('pools');
  if (there === undefined || there.includes(spec.pool)) return [];
  const detail = `pool '${spec.pool}' not found; the cluster has ${listed(there)}.`;
  return [absent('pool', { field: 'pool', to: spec.pool, detail, there })];
}

function volumes(scene: Scene): Problem[] {
  const { node, next, running, context } = scene;
  const { set } = compare(wantsOf(scene), next);
  const attached = [next, running].flatMap(Object.values).map(text => readDrive(text).file);
  return Object.entries(set).flatMap(([key, text]) => {
    const volume = busOf(key) === undefined ? undefined : existingVolume(text);
    // ours is uploaded before it is written
    if (volume === undefined || isDataIso(volume) || attached.includes(volume)) return [];
    const [storage = ''] = volume.split(':');
    const there = context.facts.ask('volumes', `${node}/${storage}`);
    if (there === undefined || there.includes(volume)) return [];
    const alike = there.filter(one => isIso(one) === isIso(volume));
    const detail = `volume '${volume}' not found on node ${node}; storage '${storage}' has ${listed(alike)}.`;
    const field = key === scene.slots.cdrom ? 'cdrom' : key;
    return [absent('volume', { field, to: volume, detail, there: alike })];
  });
}

function snapshot({ spec, context, place }: Scene): Problem[] {
  const wanted = spec.image?.snapshot;
  const source = place?.source;
  if (wanted === undefined || source === undefined) return [];
  const { node, vmid, name } = source;
  const there = context.facts.ask('sourceSnapshots', `${node}/${vmid}`);
  if (there === undefined || there.includes(wanted)) return [];
  const detail = `VM ${vmid} (${name}) has no snapshot '${wanted}'; it has ${listed(there)}.`;
  return [absent('snapshot', { field: 'image.snapshot', to: wanted, detail, there })];
}

function isIso(volume: string): boolean {
  return volume.includes(':iso/');
}

const MOST = 8;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).join(', ') || 'none that you may see';
  return names.length > MOST ? `${shown} and ${names.length - MOST} more` : shown;
}

function absent(
  kind: 'pool' | 'volume' | 'snapshot',
  { field, to, detail, there }: Record<'field' | 'to' | 'detail', string> & { there: readonly string[] },
): Problem {
  const remedy =
    there.length > 0 ? 'Name one of these, or make it first.' : 'Make it first, or let the user see it.';
  return { field, to, ...untouched(`${kind}-not-found`, detail, remedy) };
}

import { isCdrom, readDrive } from '../../guest/drive';
import type { Configuration } from '../../guest/configuration';
import { DRIVE_KEYS } from '../../guest/slot-names';
import type { ObservedGuest, ObservedNode } from '../../observed';
import { isDataIso } from '../data-iso/data-iso-name';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** A volume that a start needs, and what takes it out of the guest. */
interface NeededVolume {
  key: string;
  volume: string;
  without: string;
}

/**
 * What a guest that runs was started with and that is gone since: Proxmox lets anybody delete an ISO or a script that is in
 * use, and nothing is missed until the next start, which fails (PVE: vm_start). Told before the guest is stopped for that.
 */
export function goneSinceStart(
  { spec, slots, context: { facts, done } }: Pick<Scene, 'spec' | 'slots' | 'context'>,
  { power, vmid }: Pick<ObservedGuest, 'power' | 'vmid'>,
  after: Configuration,
  node: ObservedNode | undefined,
): Problem[] {
  // one that is off fails to start, and nobody misses it; one that went back to a snapshot ran before
  const needed =
    power === 'stopped' && !done.hasReverted ? [] : [...isos(after, vmid), ...hookScript(after, vmid)];
  if (needed.length === 0 || node === undefined) return [];
  // its storages come first: without them nobody can list volumes
  if (facts.ask('node', node.name)?.storages === undefined) return [];
  return needed.flatMap(({ key, volume, without }) => {
    const [storage = ''] = volume.split(':');
    const there = facts.ask('volumes', `${node.name}/${storage}`);
    if (there === undefined || there.includes(volume)) return [];
    const detail = `It would not start on ${node.name}: ${key} is ${volume}, which storage '${storage}' does not have.`;
    const ours = key === slots.cdrom ? spec.cdrom : key === 'hookscript' ? spec.hookScript : undefined;
    const way = ours === undefined ? `take it out of the guest: ${without}` : `say another one in the spec`;
    const remedy = `Bring the file back, or ${way}. Then run again.`;
    return [{ field: key, to: volume, why: 'volume-not-found', detail, remedy, changed: 'nothing' }];
  });
}

/** The ISOs in its drives. One of ours is uploaded before it is written. */
function isos(after: Configuration, vmid: number): NeededVolume[] {
  return DRIVE_KEYS.flatMap(key => {
    const { file: volume, storage } = readDrive(after[key]);
    if (storage === undefined || !isCdrom(after[key]) || isDataIso(volume)) return [];
    return [{ key, volume, without: `qm set ${vmid} --${key} none,media=cdrom` }];
  });
}

function hookScript({ hookscript: volume }: Configuration, vmid: number): NeededVolume[] {
  if (volume === undefined) return [];
  return [{ key: 'hookscript', volume, without: `qm set ${vmid} --delete hookscript` }];
}

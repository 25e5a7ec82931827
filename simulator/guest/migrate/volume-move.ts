import type { Sim } from '../../cluster/sim';
import { pluginOf } from '../../storage/plugins';
import { placeOnStorage, storageOn, volumesOn } from '../../storage/on-node';
import { imageVolid, parseVolumeName, splitVolumeId } from '../../storage/volumes/name';
import { nextDiskName, requireVolume } from '../../storage/volumes/volumes';
import type { Config, Guest, Volume } from '../../world';
import { isDriveKey, isUnusedKey, parseDrive, printDrive } from '../drives/drive';
import type { LocalVolume } from './scan';

/** One volume's way from node to node. */
export interface VolumeMove {
  from: string;
  volume: Volume;
  /** Copied while the guest ran. */
  online: boolean;
}

/** Puts a guest's local volumes on another node, takes them from the old one, and rewrites all that names them. */
export function landVolumes(
  sim: Sim,
  guest: Guest,
  target: string,
  volumes: LocalVolume[],
  running: boolean,
): VolumeMove[] {
  const moves = volumes.map(local => land(sim, guest, target, local, running));
  const online = new Set(moves.flatMap(move => (move.online ? [move.from] : [])));
  const renamed = new Map(moves.map(({ from, volume }) => [from, volume]));
  rewrite(guest.config, renamed, online);
  rewrite(guest.pending, renamed, online);
  for (const snapshot of Object.values(guest.snapshots)) {
    rewrite(snapshot.config, renamed, online);
    const state = renamed.get(snapshot.vmstate ?? '');
    if (state) snapshot.vmstate = state.volid;
  }
  return moves;
}

function land(
  sim: Sim,
  guest: Guest,
  target: string,
  { volid, targetStorage, ref }: LocalVolume,
  running: boolean,
): VolumeMove {
  const source = requireVolume(sim, guest.node, volid);
  const storage = storageOn(sim, target, targetStorage);
  const plugin = pluginOf(storage.type);
  const format = plugin.formats.includes(source.format) ? source.format : plugin.defaultFormat;
  const online = running && ref === 'attached';
  const old = parseVolumeName(storageOn(sim, guest.node, source.storage), splitVolumeId(volid).rest).name;
  const stem = old.replace(/\.(raw|qcow2|vmdk)$/, '');
  const wanted = plugin.naming === 'file' ? `${stem}.${format}` : stem;
  const taken = (name: string): boolean =>
    volumesOn(sim, target, storage).some(each => each.volid === imageVolid(storage, guest.vmid, name));
  const free = (): string => nextDiskName(sim, storage, target, guest.vmid, format);
  const name = online || taken(wanted) ? free() : wanted;
  const volume: Volume = {
    ...source,
    storage: storage.storage,
    node: placeOnStorage(storage, target),
    volid: imageVolid(storage, guest.vmid, name),
    format,
  };
  sim.world.volumes.splice(sim.world.volumes.indexOf(source), 1, volume);
  return { from: volid, volume, online };
}

function rewrite(config: Config, renamed: Map<string, Volume>, online: Set<string>): void {
  for (const [key, text] of Object.entries(config)) {
    if (!isDriveKey(key) && !isUnusedKey(key) && key !== 'vmstate') continue;
    const drive = parseDrive(key, text);
    const volume = renamed.get(drive.file);
    if (!volume) continue;
    // PVE: a disk that was copied live names its format from then on
    const format = online.has(drive.file) ? { format: volume.format } : {};
    config[key] = printDrive({ ...drive, file: volume.volid, options: { ...drive.options, ...format } });
  }
}

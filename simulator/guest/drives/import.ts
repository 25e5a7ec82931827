import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../../storage/on-node';
import { parseVolumeName, trySplitVolumeId, volumePath } from '../../storage/volumes/name';
import { findVolume, requireVolume, volumeFeature } from '../../storage/volumes/volumes';
import type { Guest, Volume } from '../../world';
import { cloneDrive, mirrorEnd, type DriveCopy } from './copy';
import type { Drive } from './drive';
import { drivesOf, isCloudInit } from './drive';

/** A disk to fill from `import-from`. */
export interface DiskImport {
  user: string;
  node: string;
  vmid: number;
  drive: Drive;
  /** Where the disk is made. */
  storage: string;
  source: string;
  log(line: string): void;
}

/** Makes a disk with the data of another volume and returns it with its size. Fails as a create or config task does. */
export function importDisk(sim: Sim, wanted: DiskImport): { volume: Volume; size: number } {
  const { source, node } = wanted;
  const split = trySplitVolumeId(source);
  // the simulated nodes have no files outside of their storages
  if (!split) fail(`can't find file '${source}'`);
  const storage = storageNamed(sim, split.storage);
  const name = parseVolumeName(storage, split.rest);
  if (name.content === 'import' && !findVolume(sim, node, source)) {
    fail(`failed to stat '${volumePath(storage, name)}'`);
  }
  try {
    const { file } = copyFrom(sim, wanted, name.vmid);
    const volume = requireVolume(sim, node, file);
    installSystem(sim, wanted, name.vmid);
    return { volume, size: volume.size };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fail(`cannot import from '${source}' - ${error.message}`);
  }
}

function copyFrom(sim: Sim, wanted: DiskImport, sourceVmid?: number): Drive {
  const { source, node, vmid, drive, storage, log } = wanted;
  const volume = findVolume(sim, node, source) ?? fail(`could not get size of ${source}`);
  const bare: Drive = { key: '', file: source, options: {} };
  if (isCloudInit(bare)) fail('cannot import from cloudinit disk');
  const owner = ownerHere(sim, node, sourceVmid);
  if (!volumeFeature(sim, volume, 'copy')) {
    fail(`cannot import from '${source}' - full clone feature is not supported`);
  }
  const used = owner && drivesOf(owner.config).find(({ file }) => file === source);
  const format = drive.options['format'];
  const copy: DriveCopy = {
    node,
    source: used ?? bare,
    ...(sourceVmid === undefined ? {} : { sourceVmid }),
    running: Boolean(owner?.running),
    target: { vmid, key: drive.key, storage, ...(format === undefined ? {} : { format }) },
    full: true,
    log,
  };
  const made = cloneDrive(sim, copy);
  mirrorEnd(copy).forEach(log);
  return made;
}

function ownerHere(sim: Sim, node: string, vmid?: number): Guest | undefined {
  const owner = vmid === undefined ? undefined : sim.world.guests[vmid];
  if (owner && owner.node !== node) fail(`owner VM ${owner.vmid} not on local node`);
  return owner;
}

/** A guest without a system boots the one that lies on its new disk. */
function installSystem(sim: Sim, { node, vmid, source }: DiskImport, sourceVmid?: number): void {
  const guest = sim.world.guests[vmid];
  const owner = sourceVmid === undefined ? undefined : sim.world.guests[sourceVmid];
  const system = findVolume(sim, node, source)?.system ?? owner?.system;
  if (guest?.system.kind === 'none' && system) guest.system = { ...system };
}

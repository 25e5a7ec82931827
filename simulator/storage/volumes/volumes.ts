import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Storage, Volume } from '../../world';
import { isBaseName, isFileStorage, pluginHas, pluginOf } from '../plugins';
import type { Plugin } from '../plugins';
import { checkSpace, hasSpace } from '../space';
import { needStorageLock, placeOnStorage, storageNamed, storageOn, volumesOn } from '../on-node';
import { copyFailedText, missingText, takenText } from '../tool-texts';
import { imageVolid, parseVolumeName, splitVolumeId, trySplitVolumeId, volumePath } from './name';

// What an empty file of the format takes on the disk.
const FRESH_BYTES: Record<string, number> = { raw: 4096, qcow2: 200_704 };

/** An image to make. */
export interface NewVolume {
  storage: string;
  node: string;
  vmid: number;
  /** Bytes. */
  size: number;
  /** Absent: the storage's default. */
  format?: string;
  /** Absent: the next free `vm-N-disk-M`. */
  name?: string;
  /** Bytes of data that it holds from the start; absent: none yet. */
  filled?: number;
}

/** The volume, as this node sees it; undefined when it does not exist. Fails when the storage or the name is wrong. */
export function findVolume(sim: Sim, node: string, volid: string): Volume | undefined {
  const { storage: id, rest } = splitVolumeId(volid);
  const storage = storageOn(sim, node, id);
  parseVolumeName(storage, rest);
  return sameIn(volumesOn(sim, node, storage), volid);
}

/** The volume if it can be found at all; undefined also when its storage or its name is wrong. */
export function tryFindVolume(sim: Sim, node: string, volid: string): Volume | undefined {
  const { storage } = trySplitVolumeId(volid) ?? {};
  const seen = sim.world.volumes.filter(
    volume => volume.storage === storage && (volume.node === null || volume.node === node),
  );
  return sameIn(seen, volid);
}

/** PVE goes by the name behind that of a base: a clone that was flattened is found by the line of before (assumed). */
function sameIn(volumes: readonly Volume[], volid: string): Volume | undefined {
  const ownName = (text: string): string => /[:/]((?:\d+\/)?[^/:]+)$/.exec(text)?.[1] ?? text;
  const exact = volumes.find(volume => volume.volid === volid);
  if (exact !== undefined || !/[:/]base-\d+-[^/]*\//.test(volid)) return exact;
  return volumes.find(volume => ownName(volume.volid) === ownName(volid));
}

/** The volume, or the failure of activating it. */
export function requireVolume(sim: Sim, node: string, volid: string): Volume {
  const { storage, rest } = splitVolumeId(volid);
  return findVolume(sim, node, volid) ?? fail(missingText(storageNamed(sim, storage), rest));
}

/** Makes an image and returns it. Fails when the format, the name or the space does not allow it. */
export function allocateVolume(sim: Sim, request: NewVolume): Volume {
  const storage = storageOn(sim, request.node, request.storage);
  needStorageLock(sim, storage);
  const plugin = pluginOf(storage.type);
  const format = request.format ?? plugin.defaultFormat;
  if (!plugin.formats.includes(format)) failFormat(storage, format);
  const name = request.name ?? nextDiskName(sim, storage, request.node, request.vmid, format);
  checkName(storage, request.vmid, name, format);
  const volid = imageVolid(storage, request.vmid, name);
  checkFree(sim, storage, request.node, volid);
  const size = wholeExtents(plugin, request.size);
  const filesize = plugin.thick ? size : (request.filled ?? FRESH_BYTES[format] ?? 0);
  checkSpace(sim, request.node, storage, name, filesize);
  return add(sim, storage, request.node, { volid, format, size, filesize, vmid: request.vmid });
}

/** A size in whole extents. Fails above what this program can count exactly, with the text of the tool's own limit (assumed). */
function wholeExtents({ extent }: Plugin, size: number): number {
  const rounded = Math.ceil(size / extent) * extent;
  return Number.isSafeInteger(rounded) ? rounded : fail('Image size must be less than 8 EiB!');
}

/** Makes a full copy of a volume's data in a new image, perhaps elsewhere and in another format. */
export function copyVolume(sim: Sim, source: Volume, target: Omit<NewVolume, 'size' | 'filled'>): Volume {
  const filled = source.filesize ?? source.size;
  const storage = storageOn(sim, target.node, target.storage);
  if (isFileStorage(storage.type) && !hasSpace(sim, target.node, storage, filled)) {
    fail(copyFailedText(source.format, target.format ?? source.format));
  }
  const copy = allocateVolume(sim, { ...target, size: source.size, filled });
  if (source.text !== undefined) copy.text = source.text;
  return copy;
}

/** Makes a linked clone of a template's volume, or of a snapshot, on the same storage. Fails where the storage cannot. */
export function linkVolume(
  sim: Sim,
  base: Volume,
  target: { node: string; vmid: number; snapname?: string },
): Volume {
  const storage = storageOn(sim, target.node, base.storage);
  needStorageLock(sim, storage);
  const plugin = pluginOf(storage.type);
  const fromSnapshot = target.snapname !== undefined && volumeFeature(sim, base, 'clone', target.snapname);
  if (!fromSnapshot && !isBaseName(base.volid)) fail('clone_image only works on base images');
  const format = plugin.naming === 'file' ? 'qcow2' : base.format;
  const name = nextDiskName(sim, storage, target.node, target.vmid, format);
  const { rest } = splitVolumeId(base.volid);
  // PVE: the name of a snapshot's clone does not tell its origin
  const keepsBase = plugin.cloneKeepsBase && !fromSnapshot;
  const below = keepsBase
    ? rest
        .split('/')
        .slice(plugin.naming === 'file' ? -2 : -1)
        .join('/')
    : undefined;
  const volid = imageVolid(storage, target.vmid, name, below);
  const parent = keepsBase ? { parent: base.volid } : {};
  return add(sim, storage, target.node, {
    volid,
    format,
    size: base.size,
    filesize: 0,
    vmid: target.vmid,
    ...parent,
  });
}

/** Turns an image into the base of a template: it gets a base- name, so its volume id changes. */
export function toBase(sim: Sim, volume: Volume): Volume {
  if (isBaseName(volume.volid)) fail('create_base not possible with base image');
  return renameTo(
    sim,
    volume,
    name => name.replace(/^vm-/, 'base-').replace(/^subvol-/, 'basevol-'),
    volume.vmid,
  );
}

/** Gives an image to another guest: it gets that guest's next free name, so its volume id changes. */
export function reassignVolume(sim: Sim, node: string, volume: Volume, vmid: number): Volume {
  const storage = storageNamed(sim, volume.storage);
  const name = nextDiskName(sim, storage, node, vmid, volume.format);
  return renameTo(sim, volume, () => name, vmid);
}

/** Removes a volume. Fails while linked clones stand on it. */
export function freeVolume(sim: Sim, volume: Volume): void {
  needStorageLock(sim, storageNamed(sim, volume.storage));
  if (sim.world.volumes.some(({ parent }) => parent === volume.volid)) {
    fail(`base volume '${volume.volid}' is still in use by linked cloned`);
  }
  if (volume.protected) {
    fail(`cannot remove protected volume '${splitVolumeId(volume.volid).rest}' on '${volume.storage}'`);
  }
  sim.world.volumes.splice(sim.world.volumes.indexOf(volume), 1);
}

/** Makes an image larger. Fails for formats that cannot grow; never makes it smaller. */
export function resizeVolume(sim: Sim, volume: Volume, size: number): void {
  const storage = storageNamed(sim, volume.storage);
  const plugin = pluginOf(storage.type);
  if (plugin.naming === 'file' && !['raw', 'qcow2'].includes(volume.format))
    fail("can't resize this image format");
  const rounded = wholeExtents(plugin, size);
  if (plugin.thick) {
    checkSpace(sim, volume.node ?? '', storage, splitVolumeId(volume.volid).rest, rounded - volume.size);
    volume.filesize = rounded;
  }
  volume.size = rounded;
}

/** Whether the volume's storage has a feature for it: snapshot, clone, copy, template, sparseinit, rename, replicate. */
export function volumeFeature(sim: Sim, volume: Volume, feature: string, snapname?: string): boolean {
  return pluginHas(pluginOf(storageNamed(sim, volume.storage).type), feature, volume, snapname);
}

/** The next free name for a disk of the guest on this storage. */
export function nextDiskName(sim: Sim, storage: Storage, node: string, vmid: number, format: string): string {
  const plugin = pluginOf(storage.type);
  const ending = plugin.naming === 'file' ? `.${format}` : '';
  const taken = new Set(
    volumesOn(sim, node, storage)
      .filter(volume => volume.vmid === vmid && (plugin.oneCount || volume.format === format))
      .map(({ volid }) => Number(/-disk-(\d+)[^/]*$/.exec(volid)?.[1])),
  );
  let number = 0;
  while (taken.has(number)) number += 1;
  return `vm-${vmid}-disk-${number}${ending}`;
}

function checkName(storage: Storage, vmid: number, name: string, format: string): void {
  if (pluginOf(storage.type).naming !== 'file') {
    if (!name.startsWith(`vm-${vmid}-`)) fail(`illegal name '${name}' - should be 'vm-${vmid}-*'`);
    return;
  }
  const ending = /^[^/\s]+\.(raw|qcow2|vmdk|subvol)$/.exec(name)?.[1];
  if (ending === undefined) fail(`unable to parse volume filename '${name}'`);
  if (ending !== format) {
    fail(`illegal name '${name}' - wrong extension for format ('${ending} != '${format}')`);
  }
}

function checkFree(sim: Sim, storage: Storage, node: string, volid: string): void {
  if (!volumesOn(sim, node, storage).some(volume => volume.volid === volid)) return;
  const path = volumePath(storage, parseVolumeName(storage, splitVolumeId(volid).rest));
  if (pluginOf(storage.type).naming === 'file') fail(`disk image '${path}' already exists`);
  fail(takenText(storage, path.slice(path.lastIndexOf('/') + 1)));
}

function failFormat(storage: Storage, format: string): never {
  const module: Record<string, string> = { lvmthin: 'LvmThin', lvm: 'LVM', zfspool: 'ZFSPool', rbd: 'RBD' };
  const name = module[storage.type];
  // PVE: a directory could hold a subvolume, but not one with a size
  if (name === undefined) fail('storage does not support subvol quotas');
  fail(`unsupported format '${format}' at /usr/share/perl5/PVE/Storage/${name}Plugin.pm line 106.`);
}

function renameTo(sim: Sim, volume: Volume, rename: (name: string) => string, vmid?: number): Volume {
  const storage = storageNamed(sim, volume.storage);
  needStorageLock(sim, storage);
  const parsed = parseVolumeName(storage, splitVolumeId(volume.volid).rest);
  const owner = vmid ?? parsed.vmid ?? 0;
  volume.volid = imageVolid(storage, owner, rename(parsed.name), parsed.base);
  volume.vmid = owner;
  return volume;
}

function add(
  sim: Sim,
  storage: Storage,
  node: string,
  facts: Pick<Volume, 'volid' | 'format' | 'size' | 'filesize' | 'parent'> & { vmid: number },
): Volume {
  const volume: Volume = {
    ...facts,
    storage: storage.storage,
    node: placeOnStorage(storage, node),
    content: 'images',
    ctime: Math.floor(sim.clock.now() / 1000),
  };
  sim.world.volumes.push(volume);
  return volume;
}

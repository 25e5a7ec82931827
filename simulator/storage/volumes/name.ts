import { fail } from '../../failure';
import type { Storage, World } from '../../world';
import { pluginOf } from '../plugins';
import { placeOfVolumes } from '../tool-texts';

/** A volume id taken apart. */
export interface VolumeName {
  storage: string;
  /** images, iso, import, snippets, vztmpl, backup. */
  content: string;
  /** The last part, with its extension. */
  name: string;
  vmid?: number;
  format: string;
  /** The base that a linked clone names: `9000/base-9000-disk-0.qcow2`, or the bare name on block storages. */
  base?: string;
}

const SUBDIRS: Record<string, string> = {
  images: 'images',
  rootdir: 'private',
  iso: 'template/iso',
  vztmpl: 'template/cache',
  backup: 'dump',
  snippets: 'snippets',
  import: 'import',
};

// What file names each content takes, and the format that the last group or the text stands for.
const FILE_CONTENT: { content: string; pattern: RegExp; format?: string }[] = [
  { content: 'iso', pattern: /^iso\/([^/]+\.(?:iso|img))$/i, format: 'raw' },
  { content: 'vztmpl', pattern: /^vztmpl\/([^/]+\.(?:tar\.(?:gz|xz|zst|bz2)|tar))$/i, format: 'raw' },
  {
    content: 'backup',
    pattern: /^backup\/([^/]+\.(?:tgz|tar(?:\.(?:gz|lzo|zst|bz2))?|vma(?:\.(?:gz|lzo|zst|bz2))?))$/,
    format: 'raw',
  },
  { content: 'snippets', pattern: /^snippets\/([^/]+)$/, format: 'raw' },
  { content: 'import', pattern: /^import\/([a-z0-9\-_.+=,: ]+\.ova\/[^/]+\.(qcow2|raw|vmdk))$/i },
  { content: 'import', pattern: /^import\/([a-z0-9\-_.+=,:]+\.(ova|ovf|qcow2|raw|vmdk))$/i },
];

/** Splits a volume id at its colon, or fails as Proxmox does. */
export function splitVolumeId(volid: string): { storage: string; rest: string } {
  return trySplitVolumeId(volid) ?? fail(`unable to parse volume ID '${volid}'`);
}

/** The two halves of a volume id; undefined for `none`, `cdrom` and paths. */
export function trySplitVolumeId(volid: string): { storage: string; rest: string } | undefined {
  const [, storage, rest] = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i.exec(volid) ?? [];
  return storage === undefined || rest === undefined ? undefined : { storage, rest };
}

/** The guest that a volume id names as its owner; undefined when it names none or cannot be read. */
export function ownerOf(world: World, volid: string): number | undefined {
  const split = trySplitVolumeId(volid);
  const storage = world.storages.find(each => each.storage === split?.storage);
  return split && storage && tryParseVolumeName(storage, split.rest)?.vmid;
}

/** Takes a volume id of this storage apart, or fails with the text of the storage's type. Does not ask whether it exists. */
export function parseVolumeName(storage: Storage, rest: string): VolumeName {
  const image = pluginOf(storage.type).naming === 'file' && IMAGE.exec(rest)?.[1];
  if (image && imageFormat(image) === undefined) fail(`unable to parse volume filename '${image}'`);
  return (
    tryParseVolumeName(storage, rest) ??
    fail(`unable to parse ${pluginOf(storage.type).word} volume name '${rest}'`)
  );
}

function tryParseVolumeName(storage: Storage, rest: string): VolumeName | undefined {
  return pluginOf(storage.type).naming === 'file' ? parseFile(storage, rest) : parseBlock(storage, rest);
}

const IMAGE = /^(?:\d+\/\S+\/)?\d+\/([^\s/]\S*)$/;

function parseFile({ storage }: Storage, rest: string): VolumeName | undefined {
  const linked = /^(?:(\d+\/\S+)\/)?(\d+)\/(\S+)$/.exec(rest);
  if (linked?.[3] !== undefined) {
    const [, base, vmid, name] = linked;
    const format = imageFormat(name);
    const below = base === undefined ? {} : { base };
    return format === undefined
      ? undefined
      : { storage, content: 'images', name, vmid: Number(vmid), format, ...below };
  }
  for (const { content, pattern, format } of FILE_CONTENT) {
    const match = pattern.exec(rest);
    if (!match?.[1]) continue;
    const inside = match[1].includes('.ova/') ? 'ova+' : '';
    const owner =
      content === 'backup' ? /^vzdump-(?:openvz|lxc|qemu)-(\d+)-./.exec(match[1])?.[1] : undefined;
    return {
      storage,
      content,
      name: match[1],
      format: format ?? `${inside}${match[2] ?? 'raw'}`,
      ...(owner === undefined ? {} : { vmid: Number(owner) }),
    };
  }
  return undefined;
}

function imageFormat(name: string): string | undefined {
  return /^[^/\s]+\.(raw|qcow2|vmdk|subvol)$/.exec(name)?.[1];
}

function parseBlock({ storage, type }: Storage, rest: string): VolumeName | undefined {
  const dataset = pluginOf(type).naming === 'dataset';
  const match = dataset
    ? /^(?:((?:base|basevol)-\d+-[^/\s]+)\/)?((?:base|basevol|vm|subvol)-(\d+)-[^/\s]+)$/.exec(rest)
    : /^()((?:vm|base)-(\d+)-\S+)$/.exec(rest);
  if (match?.[2] === undefined) return undefined;
  const format = /^(?:subvol|basevol)-/.test(match[2]) ? 'subvol' : 'raw';
  const base = match[1] ? { base: match[1] } : {};
  return { storage, content: 'images', name: match[2], vmid: Number(match[3]), format, ...base };
}

/** The volume id of an image; `base` as in `VolumeName`. */
export function imageVolid(storage: Storage, vmid: number, name: string, base?: string): string {
  const prefix = base === undefined ? '' : `${base}/`;
  const owner = pluginOf(storage.type).naming === 'file' ? `${vmid}/` : '';
  return `${storage.storage}:${prefix}${owner}${name}`;
}

/** The directory of a content on a storage of files. */
export function contentDirectory(storage: Storage, content: string): string {
  return `${storage.path ?? `/mnt/pve/${storage.storage}`}/${SUBDIRS[content] ?? content}`;
}

/** Where the volume stands on the node. */
export function volumePath(storage: Storage, { content, name, vmid }: VolumeName): string {
  if (pluginOf(storage.type).naming === 'file') {
    const owner = content === 'images' ? `${vmid ?? ''}/` : '';
    return `${contentDirectory(storage, content)}/${owner}${name}`;
  }
  return `${DEVICES[storage.type] ?? '/dev'}/${placeOfVolumes(storage)}/${name}`;
}

const DEVICES: Record<string, string> = { zfspool: '/dev/zvol', rbd: '/dev/rbd-pve' };

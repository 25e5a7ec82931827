import type { Sim } from '../cluster/sim';
import type { Storage, Volume } from '../world';
import { pluginOf } from './plugins';
import { bytesTaken, contentOf, volumesOn } from './on-node';

type Row = Record<string, unknown>;

const KINDS = ['rootdir', 'images', 'vztmpl', 'iso', 'backup', 'snippets', 'import'];

/** What a storage holds, as GET content lists it: one kind or all that it takes; with `vmid`, of that guest. */
export function contentRows(
  sim: Sim,
  node: string,
  storage: Storage,
  { content, vmid }: { content?: string; vmid?: number },
): Row[] {
  const kinds = (content === undefined ? KINDS : [content]).filter(kind => contentOf(storage).includes(kind));
  return volumesOn(sim, node, storage)
    .filter(volume => kinds.includes(kindOf(sim, volume)) && concerns(volume, vmid))
    .sort((left, right) => (left.volid.toLowerCase() < right.volid.toLowerCase() ? -1 : 1))
    .map(volume => ({
      ...(volume.content === 'images' ? imageRow(storage, volume) : fileRow(volume)),
      content: kindOf(sim, volume),
    }));
}

/** Disks of containers are listed as another kind. */
function kindOf(sim: Sim, { content, vmid }: Volume): string {
  const container = vmid !== undefined && sim.world.guests[vmid]?.type === 'lxc';
  return content === 'images' && container ? 'rootdir' : content;
}

// PVE: with a guest's id ISO images and templates are left out, snippets and imports are not
function concerns({ content, vmid }: Volume, wanted?: number): boolean {
  if (wanted === undefined) return true;
  return ['images', 'backup'].includes(content) ? vmid === wanted : ['snippets', 'import'].includes(content);
}

function imageRow(storage: Storage, volume: Volume): Row {
  const { volid, format, size, vmid, ctime, parent } = volume;
  const row = { volid, format, size, vmid };
  const { naming } = pluginOf(storage.type);
  if (naming === 'block') return { ...row, ctime };
  if (naming === 'file') {
    return {
      ...row,
      ctime,
      used: bytesTaken(volume),
      parent: parent === undefined ? null : `../${fileOf(parent)}`,
    };
  }
  const name = volid.slice(Math.max(volid.lastIndexOf('/'), volid.indexOf(':')) + 1);
  const origin = parent === undefined ? {} : { parent: `${parent.slice(parent.indexOf(':') + 1)}@__base__` };
  return { ...row, name, ...origin };
}

/** A base image as its clones' headers name it: the directory and the file. */
function fileOf(volid: string): string {
  return volid
    .slice(volid.indexOf(':') + 1)
    .split('/')
    .slice(-2)
    .join('/');
}

function fileRow(volume: Volume): Row {
  const { volid, content, ctime, vmid, notes } = volume;
  return {
    volid,
    size: bytesTaken(volume),
    ctime,
    format: FORMATS[content] ?? endingOf(volid),
    ...(content === 'backup' ? { subtype: guestTypeOf(volid), ...(vmid === undefined ? {} : { vmid }) } : {}),
    ...(content === 'backup' && notes !== undefined ? { notes: notes.split('\n')[0] } : {}),
    ...(volume.protected ? { protected: 1 } : {}),
  };
}

function guestTypeOf(volid: string): string {
  return volid.includes('backup/vzdump-lxc-') ? 'lxc' : 'qemu';
}

const FORMATS: Record<string, string> = { iso: 'iso', snippets: 'snippet' };

/** The format that a file's name ends in: `txz` for an archive, `vma.zst` for a backup, else the extension. */
function endingOf(volid: string): string {
  const archive = /\.tar(?:\.(gz|xz|zst|bz2))?$/.exec(volid);
  if (archive && !volid.includes(':backup/')) return `t${archive[1] ?? 'ar'}`;
  const backup = /\.((?:vma|tar)(?:\.(?:gz|lzo|zst|bz2))?|tgz)$/.exec(volid);
  return backup?.[1] ?? volid.slice(volid.lastIndexOf('.') + 1);
}

import type { Disguise } from './disguise';

/** A volume id with other names in it; ids of guests, kinds of content and endings stay. Undefined for what is none. */
export function disguisedVolid(disguise: Disguise, volid: string): string | undefined {
  const [, storage, rest] = /^([a-z][\w.-]*):([^\s,]+)$/i.exec(volid) ?? [];
  if (storage === undefined || rest === undefined) return undefined;
  const parts = rest.split('/');
  const isFile = /^(iso|vztmpl|backup|snippets|import)$/.test(parts[0] ?? '');
  const named = isFile
    ? [parts[0], ...parts.slice(1).map(part => fileName(disguise, part))]
    : parts.map(part => imageName(disguise, part));
  return `${disguise.name('storage', storage)}:${named.join('/')}`;
}

/** `vm-100-disk-0.qcow2` and the like say nothing of their own; what a person called it does. */
function imageName(disguise: Disguise, name: string): string {
  if (/^\d+$/.test(name)) return name;
  const [, start = '', own = '', end = ''] =
    /^((?:vm|base|subvol|basevol)-\d+-)(.+?)(\.(?:qcow2|raw|vmdk|subvol))?$/.exec(name) ?? ['', '', name, ''];
  if (start !== '' && /^(disk-\d+|cloudinit)$/.test(own)) return name;
  const state = /^state-(.+)$/.exec(own)?.[1];
  if (start !== '' && state !== undefined) return `${start}state-${disguise.name('snapshot', state)}${end}`;
  return `${start}${disguise.name('disk', own)}${end}`;
}

/** Any other ending may be a word of its own. */
const ENDING =
  /^(.*?)((?:\.tar)?\.(?:iso|img|qcow2|raw|vmdk|ova|ovf|zst|gz|xz|lzo|bz2|tar|tgz|vma|ya?ml|json|txt|cfg|conf|sh|pl|py))$/i;
const BACKUP =
  /^vzdump-(qemu|lxc)-\d+-\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d\.(vma|tar|tgz)(\.(zst|gz|lzo))?(\.notes)?$/;

function fileName(disguise: Disguise, name: string): string {
  if (BACKUP.test(name)) return name;
  const [, own = name, ending = ''] = ENDING.exec(name) ?? [];
  return `${disguise.name('file', own)}${ending}`;
}

import type { Json } from '../spec/said';
import { firstOf, inSnakeCase, list } from './blocks';
import type { ForeignResource } from './foreign-state';

const DOWNLOADS = [
  'proxmox_virtual_environment_download_file',
  'proxmox_download_file',
  'proxmoxve:Download/file:File',
  'proxmoxve:download/file:File',
];

/** The image that its first disk was imported from, where the same state downloaded it and knows its checksum. */
export function downloaded(
  { disk }: Json,
  all: readonly ForeignResource[],
): { image?: Json; notTaken: string[] } {
  const file = list(disk)
    .map(each => each['import_from'] || each['file_id'])
    .find(id => typeof id === 'string' && id !== '');
  const source = all.find(({ type, values }) => DOWNLOADS.includes(type) && values['id'] === file);
  if (file === undefined || source === undefined) return { notTaken: [] };
  const { url, checksum, checksum_algorithm: algorithm } = inSnakeCase(source.values);
  const isKnown = typeof checksum === 'string' && checksum !== '' && typeof algorithm === 'string';
  if (isKnown && !isPacked(source.values))
    return { image: { url, checksum: `${algorithm}:${checksum}` }, notTaken: [] };
  const why = isPacked(source.values)
    ? 'was packed, and its checksum is that of the packed file'
    : 'has no checksum there';
  const says = `its image ${String(url)} (${source.address}) ${why}: the program names no image. It needs one only to make the machine anew`;
  return { notTaken: [says] };
}

const FILES = ['user', 'vendor', 'network', 'meta'];

/** Its cloud-init data lies in files: taking their text over would give the guest another drive. */
export function cloudInitFiles({ initialization }: Json, all: readonly ForeignResource[]): string[] {
  const named = firstOf(initialization) ?? {};
  return FILES.flatMap(kind => {
    const file = named[`${kind}_data_file_id`];
    if (typeof file !== 'string' || file === '') return [];
    const holder = all.find(({ values }) => values['id'] === file);
    const whose = holder === undefined ? '' : `, which ${holder.address} holds: leave that in the old code`;
    return [`its ${kind} data stays the file ${file}${whose}. The program names it in options.cicustom`];
  });
}

/** A node unpacked it: its checksum is that of another file. */
function isPacked(values: Json): boolean {
  const packed = values['decompression_algorithm'] ?? values['decompressionAlgorithm'];
  return typeof packed === 'string' && packed !== '';
}

import { formatSize, GiB, MiB } from '../../spec';
import { counted } from '../errors';
import { placeRow } from '../pve/keys/key-row';
import { sshKeys } from '../pve/keys/same-value';
import { dataWords } from './data-iso/data-iso-name';
import type { Want, WantValue } from './want';

/** A value of Proxmox in the words of the spec, for people. */
export function shownValue(want: Pick<Want, 'key' | 'property'>, value: WantValue): string {
  const kind = placeRow(want)?.kind;
  if (kind === 'mebibytes' && Number.isFinite(Number(value))) return formatSize(Number(value) * MiB);
  if (kind === 'boolean') return String(value === true || value === '1' || value === 1);
  if (kind === 'ssh keys') return counted(sshKeys(String(value)).length, 'key', 'keys');
  if (want.property === 'file' && typeof value === 'string') return dataWords(value) ?? allocated(value);
  return String(value);
}

/** PVE: `storage:number` is a new volume of so many GiB. */
function allocated(file: string): string {
  const [, storage, size] = /^([^:]+):(\d+(?:\.\d+)?)$/.exec(file) ?? [];
  return storage === undefined ? file : `${storage}:${formatSize(Number(size) * GiB)}`;
}

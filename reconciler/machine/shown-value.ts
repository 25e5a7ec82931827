import { formatSize, GiB, MiB } from '../../spec';
import { counted } from '../errors';
import { placeName } from './meaning';
import type { Want, WantValue } from './want';

const IN_MIB = ['memory.current', 'balloon', 'vga.memory'];
const SWITCHES = ['acpi', 'ciupgrade', 'kvm', 'localtime', 'numa', 'onboot', 'protection', 'tablet'];

/** A value of Proxmox in the words of the spec, for people. */
export function shownValue(want: Pick<Want, 'key' | 'property'>, value: WantValue): string {
  const place = placeName(want);
  const { property } = want;
  if (IN_MIB.includes(place) && Number.isFinite(Number(value))) return formatSize(Number(value) * MiB);
  if (SWITCHES.includes(place)) return String(value === true || value === '1' || value === 1);
  if (place === 'sshkeys')
    return counted(decoded(String(value)).split('\n').filter(Boolean).length, 'key', 'keys');
  if (property === 'file' && typeof value === 'string') return allocated(value);
  return String(value);
}

/** PVE: `storage:number` is a new volume of so many GiB. */
function allocated(file: string): string {
  const [, storage, size] = /^([^:]+):(\d+(?:\.\d+)?)$/.exec(file) ?? [];
  return storage === undefined ? file : `${storage}:${formatSize(Number(size) * GiB)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

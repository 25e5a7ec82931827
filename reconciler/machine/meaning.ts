import { propertiesOf, type Configuration } from '../guest/configuration';
import { PVE_DEFAULTS } from '../guest/pve-defaults';
import type { Want, WantValue } from './want';

/** What the configuration holds at a want's place; undefined where there is nothing. */
export function valueAt(config: Configuration, { key, property }: Pick<Want, 'key' | 'property'>) {
  const text = config[key];
  if (property !== undefined) return propertiesOf(key, text)[property];
  // PVE: an emptied list of tags and the boot order of a guest without devices are one blank
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** Whether the configuration already says what a want says, in whatever spelling, or by a default of Proxmox. */
export function isSatisfied(want: Want, config: Configuration): boolean {
  const have = valueAt(config, want);
  const place = placeName(want);
  const fallback = PVE_DEFAULTS[place];
  if (want.value === null)
    return have === undefined || (fallback !== undefined && same(place, fallback, have));
  const effective = have ?? fallback;
  return effective !== undefined && same(place, want.value, effective);
}

/** A want's place with its index written as [n]: `net[n].tag`. */
export function placeName({ key, property }: Pick<Want, 'key' | 'property'>): string {
  const general =
    /^(?:ide|sata|scsi|virtio|virtiofs|net|ipconfig|usb|hostpci|serial|unused|numa|parallel)\d+$/.test(key)
      ? key.replace(/\d+$/, '[n]')
      : key;
  return property === undefined ? general : `${general}.${property}`;
}

function same(place: string, want: WantValue, have: WantValue): boolean {
  if (place === 'machine.type') return sameMachineType(String(want), String(have));
  const readAs = READ[place];
  if (readAs) return readAs(String(want)) === readAs(String(have));
  if (typeof want === 'boolean') return asBoolean(have) === want;
  if (typeof want === 'number') return Number(have) === want;
  return String(have) === want;
}

function asBoolean(value: WantValue): boolean | undefined {
  if (/^(?:1|on|yes|true)$/i.test(String(value))) return true;
  return /^(?:0|off|no|false)$/i.test(String(value)) ? false : undefined;
}

const set =
  (separators: RegExp) =>
  (text: string): string =>
    [...new Set(text.toLowerCase().split(separators).filter(Boolean))].sort().join(' ');
const words = (text: string): string =>
  text
    .trim()
    .split(/[\s,;]+/)
    .join(' ');

/** Places whose text has several spellings, and the one spelling to compare. */
const READ: Readonly<Record<string, (text: string) => string>> = {
  tags: set(/[;, ]+/),
  hotplug: text => set(/,/)(text === '1' ? 'network,disk,usb' : text === '0' ? '' : text),
  'cpu.flags': set(/;/),
  'net[n].trunks': set(/;/),
  'net[n].macaddr': text => text.toLowerCase(),
  nameserver: words,
  searchdomain: words,
  sshkeys: text =>
    decode(text)
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
      .join('\n'),
  'smbios1.uuid': text => text.toLowerCase(),
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** PVE pins the chipset of a Windows guest to a version at its creation: a want without a version takes any. */
function sameMachineType(want: string, have: string): boolean {
  return chipset(want) === chipset(have) && (!/-\d/.test(want) || want === have);
}

function chipset(type: string): string {
  return type
    .replace(/-\d.*$/, '')
    .replace(/^pc$/, 'pc-i440fx')
    .replace(/^q35$/, 'pc-q35');
}

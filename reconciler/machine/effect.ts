import type { Effect } from '../action';
import { bootSlots } from '../guest/boot-slots';
import { propertiesOf, type Configuration } from '../guest/configuration';
import { isCdrom } from '../guest/drive';
import { placeName, valueAt } from './meaning';

/** Keys that Proxmox applies at once, running or not. cloud-init's are among them: the drive lags, not the key. */
const ALWAYS_LIVE = new Set(
  `ciuser cipassword cicustom citype ciupgrade description hookscript migrate_downtime migrate_speed name
  nameserver onboot protection searchdomain shares sshkeys startup tags vmstatestorage ipconfig[n]`.split(
    /\s+/,
  ),
);
const LIVE = new Set([...ALWAYS_LIVE, 'cpulimit', 'cpuunits', 'unused[n]']);
/** Properties of a drive whose change waits for a restart, and the whole line with it (recording g3). */
const DRIVE_PENDS = 'aio cache detect_zeroes discard iothread product queues ro ssd vendor'.split(' ');

/** What it costs to bring a key from what runs to a text; undefined: the key goes. */
export type CostOf = (key: string, text: string | undefined) => Effect;

/** Whether Proxmox applies this key at once for sure, so that a write of it needs no reading after it. */
export function isAlwaysLive(key: string): boolean {
  return ALWAYS_LIVE.has(placeName({ key }));
}

/**
 * What a change costs a guest that runs with this configuration; a guest that is off pays nothing. A key costs as a
 * whole: one property that waits makes the others of its line wait too (behaviour.md §15.4). What runs already is free.
 */
export function costOn(current: Configuration, running: boolean): CostOf {
  return (key, text) => {
    const isFree = !running || text === current[key];
    return isFree || isLive({ key, from: current[key], to: text, current }) ? 'live' : 'restart';
  };
}

interface KeyChange {
  key: string;
  from: string | undefined;
  to: string | undefined;
  /** The configuration that the guest was started with. */
  current: Configuration;
}

function isLive(change: KeyChange): boolean {
  const general = placeName(change);
  return LIVE.has(general) || RULES[general]?.(change) === true;
}

type Rule = (change: KeyChange) => boolean;

/** Whether the guest was started with a kind of hotplug. */
function plugs({ current: { hotplug = '1' } }: KeyChange, feature: string): boolean {
  return (hotplug === '1' ? 'network,disk,usb' : hotplug).split(',').includes(feature);
}

const needs =
  (feature: string): Rule =>
  change =>
    plugs(change, feature);
const hotDrive: Rule = change => (isSameVolume(change) ? keepsWaiting(change) : isPlugged(change));
const coldDrive: Rule = change => hasMedium(change) || (isSameVolume(change) && keepsWaiting(change));

function isSameVolume({ key, from, to }: KeyChange): boolean {
  if (from === undefined || to === undefined) return false;
  return isCdrom(from) || propertiesOf(key, from).file === propertiesOf(key, to).file;
}

/** PVE: another medium in a drive that stays a CD-ROM drive is live, whatever else its line says. */
function hasMedium({ from, to }: KeyChange): boolean {
  return isCdrom(from) && isCdrom(to);
}

function keepsWaiting({ key, from, to }: KeyChange): boolean {
  const [old, next] = [propertiesOf(key, from), propertiesOf(key, to)];
  return DRIVE_PENDS.every(property => old[property] === next[property]);
}

/** PVE: "can't unplug bootdisk", of every drive that the boot order names. */
function isPlugged(change: KeyChange): boolean {
  const { key, from, current } = change;
  return plugs(change, 'disk') && (from === undefined || !bootSlots(current).includes(key));
}

/** PVE: plugging of CPUs and memory is chosen at the start, and holds the whole key back. */
const changesFeatures: Rule = ({ from = '', to = '' }) => !/cpu|memory/.test(from + to);

/** A guest seldom gives memory back: Proxmox then refuses the write, and the value waits (recording g2). */
const growsMemory: Rule = change => {
  const { current, to = '512' } = change;
  const [have, want] = [current.memory ?? '512', to].map(text => Number.parseInt(text, 10));
  const isPlug = plugs(change, 'memory') && valueAt(current, { key: 'numa' }) === '1';
  return isPlug && have !== undefined && want !== undefined && want > have;
};

const trims: Rule = ({ key, from, to }) => {
  if (from === undefined || to === undefined) return false;
  const [old, next] = [propertiesOf(key, from), propertiesOf(key, to)];
  return [...Object.keys(old), ...Object.keys(next)].every(
    property => property === 'fstrim_cloned_disks' || old[property] === next[property],
  );
};

/** Keys that may be live, and when (PVE: hotplug of 9.2). What stands nowhere here waits for a restart. */
const RULES: Readonly<Record<string, Rule>> = {
  agent: trims,
  balloon: ({ from, to }) => (from === '0') === (to === '0'),
  hotplug: changesFeatures,
  'ide[n]': coldDrive,
  memory: growsMemory,
  'net[n]': needs('network'),
  'sata[n]': coldDrive,
  'scsi[n]': hotDrive,
  tablet: needs('usb'),
  'usb[n]': change => plugs(change, 'usb') && plugsUsb(change.current),
  vcpus: needs('cpu'),
  'virtio[n]': hotDrive,
};

function plugsUsb({ machine, ostype }: Configuration): boolean {
  const version = /-(\d+)\.(\d+)/.exec(String(propertiesOf('machine', machine).type ?? ''));
  const recent = !version || Number(version[1]) * 100 + Number(version[2]) >= 701;
  return recent && /^(?:l26|win(?:8|10|11))$/.test(ostype ?? '');
}

import { bootSlots } from '../guest/slot-names';
import { propertiesOf, type Configuration } from '../guest/configuration';
import { isCdrom, isCloudInit, readDrive } from '../guest/drive';
import { isCloudInitKey } from '../guest/key-kinds';
import { keyRow, propertyRow } from '../pve/keys/key-row';
import type { LiveWhen } from '../pve/keys/pve-key';
import type { ObservedGuest } from '../observed';
import { effectiveAt, type EffectOf } from './compare';
import { isDataIso } from './data-iso/data-iso-name';
import type { Scene } from './scene';

/**
 * What a change costs a guest that runs with this configuration; a guest that is off pays nothing. A key costs as a
 * whole: one property that waits makes the others of its line wait too (behaviour.md §15.4). What runs already is free.
 * What cloud-init is told is read at the next boot, though Proxmox takes it at once.
 */
export function effectOn(current: Configuration, running: boolean): EffectOf {
  return (key, text) => {
    const isFree = !running || text === current[key];
    if (!isFree && isCloudInitKey(key)) return 'restart';
    return isFree || isLive({ key, from: current[key], to: text, current }) ? 'live' : 'restart';
  };
}

/**
 * What a change costs this machine: another medium with cloud-init data is plugged in at once, and read at the next boot.
 * The address of a card that leaves costs what the card costs: no boot has to read that it is gone.
 */
export function effectIn(scene: Scene, { power }: Pick<ObservedGuest, 'power'>): EffectOf {
  const effect = effectOn(scene.running, power === 'running');
  const leaving = [...Object.values(scene.slots.goneNetworks), ...scene.slots.spareNetworks];
  return (key, text) => {
    const card = leaving.find(slot => slot.replace('net', 'ipconfig') === key);
    if (card !== undefined) return effect(card, text);
    return power === 'running' && changesData(scene, key, text) ? 'restart' : effect(key, text);
  };
}

function changesData({ slots, next }: Scene, key: string, text: string | undefined): boolean {
  const isData = (line: string | undefined): boolean => isCloudInit(line) || isDataIso(readDrive(line).file);
  return key === slots.cloudInit && text !== next[key] && [next[key], text].some(isData);
}

interface KeyChange {
  key: string;
  from: string | undefined;
  to: string | undefined;
  /** The configuration that the guest was started with. */
  current: Configuration;
}

function isLive(change: KeyChange): boolean {
  const live = keyRow(change.key)?.live;
  if (live === undefined) return false;
  return live === 'always' || live === 'at once' || RULES[live](change);
}

type Rule = (change: KeyChange) => boolean;

/** Whether the guest was started with a kind of hotplug. */
function plugs({ current }: KeyChange, feature: string): boolean {
  // PVE: 1 stands for the default
  const said = current.hotplug === '1' ? {} : current;
  return effectiveAt(said, { key: 'hotplug' }).split(',').includes(feature);
}

function isSameVolume({ key, from, to }: KeyChange): boolean {
  if (from === undefined || to === undefined) return false;
  return isCdrom(from) || propertiesOf(key, from).file === propertiesOf(key, to).file;
}

/** The properties inside a key's line that are others after the change. */
function changedProperties({ key, from, to }: KeyChange): string[] {
  const [old, next] = [propertiesOf(key, from), propertiesOf(key, to)];
  return Object.keys({ ...old, ...next }).filter(property => old[property] !== next[property]);
}

function isLiveDrive(change: KeyChange): boolean {
  return changedProperties(change).every(property => propertyRow(change.key, property)?.live !== false);
}

/** PVE: "can't unplug bootdisk", of every drive that the boot order names. */
function isPlugged(change: KeyChange): boolean {
  const { key, from, current } = change;
  return plugs(change, 'disk') && (from === undefined || !bootSlots(current).includes(key));
}

/** A guest seldom gives memory back: Proxmox then refuses the write, and the value waits (recording g2). */
const growsMemory: Rule = change => {
  const { current, to } = change;
  const sizeIn = (config: Configuration): number =>
    Number(effectiveAt(config, { key: 'memory', property: 'current' }));
  const isPlug = plugs(change, 'memory') && effectiveAt(current, { key: 'numa' }) === '1';
  return isPlug && sizeIn(to === undefined ? {} : { memory: to }) > sizeIn(current);
};

/** What each word of the table asks (PVE: hotplug of 9.2). */
const RULES: Readonly<Record<LiveWhen, Rule>> = {
  'network is plugged': change => plugs(change, 'network'),
  'usb is plugged': change => plugs(change, 'usb'),
  'cpu is plugged': change => plugs(change, 'cpu'),
  'its usb is plugged': change => plugs(change, 'usb') && plugsUsb(change.current),
  'memory grows': growsMemory,
  'a hot drive allows': change => (isSameVolume(change) ? isLiveDrive(change) : isPlugged(change)),
  // PVE: another medium in a drive that stays a CD-ROM drive is live, whatever else its line says
  'a cold drive allows': change =>
    (isCdrom(change.from) && isCdrom(change.to)) || (isSameVolume(change) && isLiveDrive(change)),
  'all that changes is live': change =>
    change.from !== undefined &&
    change.to !== undefined &&
    changedProperties(change).every(property => propertyRow(change.key, property)?.live === true),
  'it stays on or off': ({ from, to }) => (from === '0') === (to === '0'),
  // PVE: plugging of CPUs and memory is chosen at the start, and holds the whole key back
  'no plugging of cpu and memory': ({ from = '', to = '' }) => !/cpu|memory/.test(from + to),
};

function plugsUsb({ machine, ostype }: Configuration): boolean {
  const version = /-(\d+)\.(\d+)/.exec(String(propertiesOf('machine', machine).type ?? ''));
  const recent = !version || Number(version[1]) * 100 + Number(version[2]) >= 701;
  return recent && /^(?:l26|win(?:8|10|11))$/.test(ostype ?? '');
}

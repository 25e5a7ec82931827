import { DRIVE_OPTIONS, formatSize, pveKey } from '../../../spec';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { isCdrom, isDisk, readDrive } from '../../guest/drive';
import { bootDiskSlot, DRIVE_SLOTS } from '../../guest/slot-names';
import { DISK, DISK_LIMITS } from '../../machine/parts/disks';
import { filled, present, saidInside, type Json } from './said';

/** The disks that the model can hold, by their slots: the one that the guest boots from is `root`. */
export function disksOf(config: Configuration): Record<string, Json> {
  const boot = bootDiskSlot(config);
  const slots = DRIVE_SLOTS.filter(
    slot => isDisk(config[slot]) && readDrive(config[slot]).storage !== undefined,
  );
  const others = slots.filter(slot => slot !== boot);
  const nameOf = (slot: string): string => {
    const place = others.indexOf(slot);
    return place < 0 ? 'root' : place === 0 ? 'data' : `data-${place + 1}`;
  };
  const ordered = [...slots.filter(slot => slot === boot), ...others];
  return Object.fromEntries(ordered.map(slot => [slot, diskIn(slot, nameOf(slot), config)]));
}

function diskIn(slot: string, name: string, config: Configuration): Json {
  const { storage, bytes, format } = readDrive(config[slot]);
  const { discard, serial, ...said } = saidInside(slot, DISK, config);
  return {
    name,
    ...present({ size: bytes === undefined ? undefined : formatSize(bytes), storage }),
    ...(slot === 'scsi0' && name === 'root' ? {} : { slot }),
    ...(format === 'raw' ? {} : { format }),
    ...said,
    ...(discard === undefined ? {} : { discard: discard === 'on' }),
    ...(serial === undefined ? {} : { serial: decodeURIComponent(String(serial)) }),
    ...filled('limits', saidInside(slot, DISK_LIMITS, config)),
    ...filled('options', optionsOf(slot, config)),
  };
}

/** Properties of a drive that have no field of their own. */
function optionsOf(slot: string, config: Configuration): Json {
  const properties = Object.entries(propertiesOf(slot, config[slot]));
  return Object.fromEntries(
    properties
      .filter(([name]) => Object.hasOwn(DRIVE_OPTIONS, name) && isFree(DRIVE_OPTIONS[name]))
      .map(([name, value]) => [name, asNumber(DRIVE_OPTIONS[name]?.type, value)]),
  );
}

/** Keys of the guest that have no field of their own, in the words of Proxmox. */
export function machineOptionsOf(config: Configuration): Json {
  const free = Object.entries(config).filter(
    ([key]) => !OF_PROXMOX.includes(key) && isFree(pveKey(key)?.key),
  );
  return filled(
    'options',
    Object.fromEntries(free.map(([key, text]) => [key, typed(pveKey(key)?.key.type, text)])),
  );
}

// PVE writes a new one at each rollback and copy: managed, it would be a difference
const OF_PROXMOX = ['vmgenid'];

function isFree(key: { field?: string; reserved?: string } | undefined): boolean {
  return key !== undefined && key.field === undefined && key.reserved === undefined;
}

function typed(type: string | undefined, text: string): unknown {
  return type === 'boolean' ? /^(?:1|on|yes|true)$/i.test(text) : asNumber(type, text);
}

function asNumber(type: string | undefined, value: string | number | boolean): unknown {
  return type !== 'integer' && type !== 'number' ? value : Number(value);
}

/** What is in the first CD-ROM drive: the model knows one. */
export function cdromOf(config: Configuration): Json {
  const slot = DRIVE_SLOTS.find(each => isCdrom(config[each]));
  return slot === undefined ? {} : { cdrom: readDrive(config[slot]).file };
}

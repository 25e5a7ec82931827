import type { Configuration } from '../../guest/configuration';
import { bootSlots, DRIVE_SLOTS } from '../../guest/slot-names';
import { isCloudInit } from '../../guest/drive';
import { PCI, VIRTIOFS } from '../../machine/parts/device-lists';
import { keyRow, keysOf } from '../../pve/keys/key-row';
import { sshKeys } from '../../pve/keys/same-value';
import { filled, present, saidBy, saidInside, type Json } from './said';

const SOURCE = { mapping: 'mapping', host: 'host' };

/** Devices that the model knows as lists, where no number is left out: an entry's place is its number. */
export function deviceListsOf(config: Configuration): Json {
  return {
    ...listOf('serial', 'serial', config, key => config[key]),
    ...listOf('usb', 'usb', config, key => saidInside(key, { ...SOURCE, usb3: 'usb3' }, config)),
    ...listOf('pci', 'hostpci', config, key => saidInside(key, { ...SOURCE, ...PCI }, config)),
    ...listOf('virtiofs', 'virtiofs', config, key => saidInside(key, VIRTIOFS, config)),
  };
}

function listOf(field: string, base: string, config: Configuration, read: (key: string) => unknown): Json {
  const keys = keysOf(`${base}[n]`);
  const there = keys.filter(key => config[key] !== undefined);
  const isWhole = there.length > 0 && there.every((key, index) => key === keys[index]);
  return isWhole ? { [field]: there.map(read) } : {};
}

/** PVE's own cloud-init. Without its drive the values do nothing, and said in the spec they would make one. */
export function cloudInitOf(config: Configuration): Json {
  if (!DRIVE_SLOTS.some(slot => isCloudInit(config[slot]))) return {};
  const words = (key: string): string[] | undefined => config[key]?.trim().split(/[\s,;]+/);
  const keys = config.sshkeys === undefined ? [] : sshKeys(config.sshkeys);
  return filled('cloudInit', {
    user: config.ciuser,
    ...(keys.length === 0 ? {} : { sshKeys: keys }),
    ...filled('dns', present({ servers: words('nameserver'), search: words('searchdomain') })),
    ...saidBy({ upgradePackages: 'ciupgrade' }, config),
  });
}

/** The boot order by the names of devices; those without a name by their slots, and none that is not there. */
export function bootOrderOf(config: Configuration, names: Readonly<Record<string, string>>): Json {
  if (!/(?:^|,)order=/.test(config.boot ?? '')) return {};
  const slots = bootSlots({ boot: config.boot ?? '' });
  const there = slots.filter(slot => config[slot] !== undefined && keyRow(slot)?.boots === true);
  return there.length === 0 ? {} : { bootOrder: there.map(slot => names[slot] ?? slot) };
}

import type { Configuration } from '../../guest/configuration';
import { keysOf } from '../../pve/keys/key-row';
import type { Part } from '../scene';
import { wantsInside, type FieldTable, type Want } from '../want';

export const PCI: FieldTable = {
  pcie: 'pcie',
  rombar: 'rombar',
  romFile: 'romfile',
  mediatedDevice: 'mdev',
  primaryGpu: 'x-vga',
  legacyIgd: 'legacy-igd',
  driver: 'driver',
  vendorId: 'vendor-id',
  deviceId: 'device-id',
  subVendorId: 'sub-vendor-id',
  subDeviceId: 'sub-device-id',
};
export const VIRTIOFS: FieldTable = {
  mapping: 'dirid',
  cache: 'cache',
  directIo: 'direct-io',
  exposeAcl: 'expose-acl',
  exposeXattr: 'expose-xattr',
};

/** Devices that stand in the spec as lists: the entry's place is the slot's number, and what is past the end goes. */
export const deviceLists: Part = ({ spec, config }) => [
  ...listWants('serial', 'serial', spec.serial, config, (port, field, key) => [{ field, key, value: port }]),
  ...listWants('usb', 'usb', spec.usb, config, (usb, field, key) => [
    ...source(usb, field, key),
    ...wantsInside(field, key, { usb3: 'usb3' }, usb),
  ]),
  ...listWants('pci', 'hostpci', spec.pci, config, (pci, field, key) => [
    ...source(pci, field, key),
    ...wantsInside(field, key, PCI, pci),
  ]),
  ...listWants('virtiofs', 'virtiofs', spec.virtiofs, config, (share, field, key) =>
    wantsInside(field, key, VIRTIOFS, share),
  ),
];

function listWants<E>(
  field: string,
  base: string,
  entries: E[] | undefined,
  config: Configuration,
  wantsOf: (entry: E, field: string, key: string) => Want[],
): Want[] {
  if (entries === undefined) return [];
  const wanted = entries.flatMap((entry, index) => wantsOf(entry, `${field}[${index}]`, `${base}${index}`));
  return [...wanted, ...removedFrom(field, base, entries.length, config)];
}

/** The wants that remove every device of a list from a place on. */
export function removedFrom(field: string, base: string, first: number, config: Configuration): Want[] {
  return keysOf(`${base}[n]`).flatMap((key, index) =>
    index < first || config[key] === undefined ? [] : [{ field: `${field}[${index}]`, key, value: null }],
  );
}

/** Where a device of the node comes from: exactly one of the two, so the other one goes. */
function source(
  device: { mapping?: string | undefined; host?: string | undefined },
  field: string,
  key: string,
) {
  const { mapping, host } = device;
  const [said, other, value] =
    mapping === undefined ? ['host', 'mapping', host] : ['mapping', 'host', mapping];
  return value === undefined
    ? []
    : [
        { field: `${field}.${said}`, key, property: said, value },
        { field: `${field}.${said}`, key, property: other, value: null },
      ];
}

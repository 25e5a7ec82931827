import type { MachineSpec } from '../../../spec';
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

const KEYS = { serial: 'serial[n]', usb: 'usb[n]', pci: 'hostpci[n]', virtiofs: 'virtiofs[n]' } as const;
type List = keyof typeof KEYS;
export const LISTS: readonly List[] = ['serial', 'usb', 'pci', 'virtiofs'];

/** Devices that stand in the spec as lists: the entry's place is the slot's number, and what is past the end goes. */
export const deviceLists: Part = ({ spec, next }) => [
  ...listWants('serial', spec.serial, next, (port, field, key) => [{ field, key, value: port }]),
  ...listWants('usb', spec.usb, next, (usb, field, key) => [
    ...source(usb, field, key),
    ...wantsInside(field, key, { usb3: 'usb3' }, usb),
  ]),
  ...listWants('pci', spec.pci, next, (pci, field, key) => [
    ...source(pci, field, key),
    ...wantsInside(field, key, PCI, pci),
  ]),
  ...listWants('virtiofs', spec.virtiofs, next, (share, field, key) =>
    wantsInside(field, key, VIRTIOFS, share),
  ),
];

function listWants<E>(
  list: List,
  entries: E[] | undefined,
  config: Configuration,
  wantsOf: (entry: E, field: string, key: string) => Want[],
): Want[] {
  if (entries === undefined) return [];
  const keys = keysOf(KEYS[list]);
  const wanted = entries.flatMap((entry, index) => wantsOf(entry, `${list}[${index}]`, keys[index] ?? ''));
  return [...wanted, ...removedFrom(list, entries.length, config)];
}

/** The wants that remove every device of a list from a place on. */
export function removedFrom(list: List, first: number, config: Configuration): Want[] {
  return keysOf(KEYS[list]).flatMap((key, index) =>
    index < first || config[key] === undefined ? [] : [{ field: `${list}[${index}]`, key, value: null }],
  );
}

type Device = Pick<NonNullable<MachineSpec['usb']>[number], 'mapping' | 'host'>;

/** Where a device of the node comes from: exactly one of the two, so the other one goes. */
function source({ mapping, host }: Device, field: string, key: string): Want[] {
  const [said, other, value] =
    mapping === undefined ? ['host', 'mapping', host] : ['mapping', 'host', mapping];
  return value === undefined
    ? []
    : [
        { field: `${field}.${said}`, key, property: said, value },
        { field: `${field}.${said}`, key, property: other, value: null },
      ];
}

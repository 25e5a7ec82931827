import { rowOf } from '../shape';
import type { Row } from '../shape';
import type { Source } from './source';

/** The devices of hosts that guests name, so that such a guest starts. Which node has which is not known. */
export function devicesOf({ remark }: Source, guests: Row[]): { pci: string[]; usb: string[] } | undefined {
  const devices = { pci: named(guests, 'hostpci'), usb: named(guests, 'usb') };
  const count = devices.pci.length + devices.usb.length;
  if (count === 0) return undefined;
  remark(`${count} devices of hosts that guests name: in the file each node has them`);
  return devices;
}

function named(guests: Row[], start: string): string[] {
  const configs = guests.flatMap(guest => [
    rowOf(guest['config']),
    rowOf(guest['pending']),
    ...Object.values(rowOf(guest['snapshots'])).map(snapshot => rowOf(rowOf(snapshot)['config'])),
  ]);
  const values = configs.flatMap(config =>
    Object.entries(config).flatMap(([key, value]) =>
      key.startsWith(start) && /^\d+$/.test(key.slice(start.length)) ? [String(value)] : [],
    ),
  );
  const names = values.flatMap(value =>
    value.split(',').flatMap(part => {
      const [, device] = /^(?:(?:host|mapping)=)?([^=]+)$/.exec(part) ?? [];
      return device?.split(';') ?? [];
    }),
  );
  return [...new Set(names)].sort();
}

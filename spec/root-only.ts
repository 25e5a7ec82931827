import type { MachineSpec } from './machine';
import { pveKey } from './pve-key';

/**
 * The fields of a machine that PVE takes from root@pam alone, never from a token (behaviour.md §11).
 * A plan names them when its caller is somebody else.
 */
export function rootOnlyFields(machine: MachineSpec): string[] {
  const { cpu, hugepages, hookScript, pci = [], usb = [], serial = [], options = {} } = machine;
  const said: [string, boolean][] = [
    ['cpu.affinity', cpu?.affinity !== undefined],
    ['hugepages', hugepages !== undefined],
    ['hookScript', hookScript !== undefined],
    ...pci.flatMap(({ host, romFile }, i): [string, boolean][] => [
      [`pci[${i}].host`, host !== undefined],
      [`pci[${i}].romFile`, romFile !== undefined],
    ]),
    ...usb.map(({ host }, i): [string, boolean] => [
      `usb[${i}].host`,
      host !== undefined && host !== 'spice',
    ]),
    ...serial.map((port, i): [string, boolean] => [`serial[${i}]`, port !== 'socket']),
    ...Object.keys(options).map((name): [string, boolean] => [
      `options.${name}`,
      pveKey(name)?.key.rootOnly === true,
    ]),
  ];
  return said.filter(([, rootOnly]) => rootOnly).map(([field]) => field);
}

import { busOf, DRIVE_SLOTS, NETWORK_SLOTS } from '../slot-names';
import { isCdrom, isDisk } from './drive';
import type { Part, Scene } from './scene';

/**
 * `bootOrder` as slots. Only devices that are there and stay: a new disk is named by the plan after the one that adds it,
 * for PVE refuses a boot order that names what it does not have.
 */
export const bootOrder: Part = scene => {
  const { bootOrder: said } = scene.spec;
  if (said === undefined) return [];
  const slots = [...new Set(said.flatMap(word => slotsOf(word, scene)))].filter(slot =>
    staysThere(slot, scene),
  );
  return slots.length === 0 ? [] : [{ field: 'bootOrder', key: 'boot', value: `order=${slots.join(';')}` }];
};

function slotsOf(word: string, { slots, config, spec }: Scene): string[] {
  switch (word) {
    case 'disk': {
      const root = slots.disks.root;
      const rest = [...DRIVE_SLOTS].filter(slot => isDisk(config[slot]));
      return root === undefined ? rest : [root, ...rest];
    }
    case 'network':
      return [...NETWORK_SLOTS];
    case 'cdrom':
      return DRIVE_SLOTS.filter(slot => isCdrom(config[slot]));
    default:
      return [ofName(slots.disks, spec.disks, word) ?? ofName(slots.networks, spec.networks, word) ?? word];
  }
}

/** A name counts only while the spec has it: a slot that is remembered for a device that left is no answer. */
function ofName(
  slots: Record<string, string>,
  devices: { name: string }[] | undefined,
  name: string,
): string | undefined {
  return devices?.some(device => device.name === name) === true ? slots[name] : undefined;
}

function staysThere(slot: string, { slots, config }: Scene): boolean {
  const leaving = [
    ...Object.values(slots.goneDisks),
    ...Object.values(slots.goneNetworks),
    ...slots.spareNetworks,
  ];
  const bootable = busOf(slot) !== undefined || /^(?:net|usb|hostpci)\d+$/.test(slot);
  return bootable && config[slot] !== undefined && !leaving.includes(slot);
}

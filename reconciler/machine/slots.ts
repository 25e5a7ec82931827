import type { MachineSpec } from '../../spec';
import type { Configuration } from '../guest/configuration';
import type { Origin } from './origin';
import type { Mark } from '../mark/mark';
import { diskSlots } from './slots-disks';
import { cloudInitSlot, cdromSlot } from './slots-drives';
import { networkSlots } from './slots-networks';

/** Which of Proxmox's slots each device of the spec has, or is to have. */
export interface Slots {
  /** Device name to slot. */
  disks: Record<string, string>;
  networks: Record<string, string>;
  /** Devices that we gave a slot once, that are there still, and that the spec does not name any more. */
  goneDisks: Record<string, string>;
  goneNetworks: Record<string, string>;
  /** Cards that the image brought and the spec does not want. */
  spareNetworks: string[];
  cdrom: string;
  cloudInit: string;
}

/**
 * Gives every device its slot: the remembered one, else the one it has by its origin, else a free one.
 * `config` is what is there; a slot counts as free only when neither the running nor the next configuration has it.
 */
export function assignSlots(
  spec: MachineSpec,
  config: Configuration,
  mark: Mark | undefined,
  origin: Origin,
): Slots {
  const { disks, gone: goneDisks } = diskSlots(spec, config, mark?.d, origin);
  const taken = new Set([...Object.keys(config), ...Object.values(disks)]);
  const cdrom = cdromSlot(config, taken);
  const cards = networkSlots(spec, config, mark?.n, origin);
  return {
    disks,
    goneDisks,
    networks: cards.networks,
    goneNetworks: cards.gone,
    spareNetworks: cards.spare,
    cdrom,
    cloudInit: cloudInitSlot(config, new Set([...taken, cdrom])),
  };
}

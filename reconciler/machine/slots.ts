import { hasOwnData, type MachineSpec } from '../../spec';
import type { Configuration } from '../guest/configuration';
import { isDataIso } from './data-iso/data-iso-name';
import { isCdrom, isCloudInit, readDrive } from '../guest/drive';
import { DRIVE_SLOTS, slotsOf } from '../guest/slot-names';
import type { Origin, PlanContext } from './plan-context';
import type { Mark } from '../mark/mark';
import { diskSlots, networkSlots } from './device-slots';

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
  by: { origin: Origin } & Pick<PlanContext, 'clusterSpec'>,
): Slots {
  const disks = diskSlots(spec, config, mark?.disks, by.origin);
  const taken = new Set([...Object.keys(config), ...Object.values(disks.disks)]);
  const cloudInit = dataSlot(config, mark) ?? emptyDrive(spec, config);
  const cdrom = driveSlot(
    (text, slot) => slot !== cloudInit && isCdrom(text),
    config,
    cloudInit === undefined ? taken : new Set([...taken, cloudInit]),
  );
  return {
    ...disks,
    ...networkSlots(spec, config, mark?.networks, by),
    cdrom,
    cloudInit: cloudInit ?? driveSlot(isCloudInit, config, new Set([...taken, cdrom])),
  };
}

// PVE starts with a CD-ROM in any of these, whatever the chipset and firmware
const CANDIDATES = ['ide2', 'ide0', 'ide1', 'ide3', ...slotsOf('sata').toReversed(), 'scsi30'];

/** The slot of cloud-init data: where it is, or where the mark says that it was while nothing else is there. */
function dataSlot(config: Configuration, mark: Mark | undefined): string | undefined {
  const own = DRIVE_SLOTS.find(slot => isCloudInit(config[slot]));
  const there = DRIVE_SLOTS.find(slot => isDataIso(readDrive(config[slot]).file));
  const text = config[mark?.dataIsoSlot ?? ''];
  const isFree = text === undefined || readDrive(text).file === 'none';
  return own ?? there ?? (isFree ? mark?.dataIsoSlot : undefined);
}

/** An empty drive that the spec says nothing of: a medium comes into it while the guest runs, and a new drive does not. */
function emptyDrive({ cloudInit, cdrom, image }: MachineSpec, config: Configuration): string | undefined {
  if (!hasOwnData(cloudInit) || cdrom !== undefined || image?.iso !== undefined) return undefined;
  return DRIVE_SLOTS.find(slot => isCdrom(config[slot]) && readDrive(config[slot]).file === 'none');
}

/** The slot of a drive of this kind: the one that is there, else a free one. */
function driveSlot(
  isKind: (text: string | undefined, slot: string) => boolean,
  config: Configuration,
  taken: ReadonlySet<string>,
): string {
  const there = DRIVE_SLOTS.find(slot => isKind(config[slot], slot));
  return there ?? CANDIDATES.find(slot => !taken.has(slot)) ?? 'scsi30';
}

import { diskType, type DiskSpec, type MachineSpec } from '../../spec';
import type { Configuration } from '../guest/configuration';
import { isDisk } from '../guest/drive';
import type { Origin } from './plan-context';
import { bootDiskSlot, slotsOf } from '../guest/slot-names';

interface DiskSlots {
  disks: Record<string, string>;
  goneDisks: Record<string, string>;
}

/** The slot of each disk of the spec, and of the remembered disks that it does not name any more. */
export function diskSlots(
  spec: MachineSpec,
  config: Configuration,
  remembered: Record<string, string> = {},
  origin: Origin = 'kept',
): DiskSlots {
  // A spec without `disks` manages none: what is remembered stays remembered
  if (!spec.disks) return { disks: remembered, goneDisks: {} };
  const said = spec.disks;
  const disks: Record<string, string> = {};
  const isTaken = (slot: string): boolean => Object.values(disks).includes(slot);
  for (const rule of [isThere(config, remembered), bySpec, byMark(remembered), byImage(config, origin)]) {
    for (const disk of said) {
      const slot = disks[disk.name] === undefined ? rule(disk) : undefined;
      if (slot !== undefined && !isTaken(slot)) disks[disk.name] = slot;
    }
  }
  const kept = Object.values(remembered);
  for (const disk of said) {
    if (disks[disk.name] !== undefined) continue;
    const free = freeSlots(disk).find(
      slot => !isTaken(slot) && config[slot] === undefined && !kept.includes(slot),
    );
    if (free !== undefined) disks[disk.name] = free;
  }
  const names = said.map(({ name }) => name);
  const gone = Object.entries(remembered).filter(([name, slot]) => !names.includes(name) && !isTaken(slot));
  return { disks, goneDisks: Object.fromEntries(gone) };
}

type Rule = (disk: DiskSpec) => string | undefined;

/** Slots in the mark are hints after a rollback; a drive that is there is a fact. */
const isThere =
  (config: Configuration, remembered: Record<string, string>): Rule =>
  ({ name }) => {
    const slot = remembered[name];
    return slot !== undefined && isDisk(config[slot]) ? slot : undefined;
  };

const byMark =
  (remembered: Record<string, string>): Rule =>
  ({ name }) =>
    remembered[name];

const bySpec: Rule = ({ slot }) => slot;

/** `root` is the disk that the image brought: the first disk that the guest boots from. */
const byImage =
  (config: Configuration, origin: Origin): Rule =>
  ({ name }) =>
    name === 'root' && origin !== 'blank' ? bootDiskSlot(config) : undefined;

// ide2 last: installers and cloud-init drives are expected there
function freeSlots(disk: DiskSpec): string[] {
  const slots = slotsOf(diskType(disk));
  return [...slots.filter(slot => slot !== 'ide2'), ...slots.filter(slot => slot === 'ide2')];
}

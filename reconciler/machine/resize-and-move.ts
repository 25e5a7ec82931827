import type { Action, Change } from '../action';
import type { ObservedGuest } from '../observed';
import { formatSize } from '../../spec';
import { propertiesOf, propertyText } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import type { Scene } from './scene';

/** Actions on volumes that no configuration write can do, and what they change. */
export interface VolumeActions {
  actions: Action[];
  changes: Change[];
  /** Moves that have to wait until the guest has been started again. */
  waiting: Change[];
}

/** Growing and moving of disks that are there. A new size is absolute, so that it may be sent again. */
export function volumeActions(scene: Scene): VolumeActions {
  const { spec, slots } = scene;
  const disks = (spec.disks ?? []).flatMap(disk => {
    const slot = slots.disks[disk.name];
    const storage = disk.existingVolume === undefined ? disk.storage : undefined;
    const format = disk.existingVolume === undefined ? disk.format : undefined;
    return slot === undefined ? [] : [{ ...disk, field: `disks[${disk.name}]`, slot, storage, format }];
  });
  const state = [
    { storage: spec.efiDisk?.storage, field: 'efiDisk', slot: 'efidisk0' },
    { storage: spec.tpm?.storage, field: 'tpm', slot: 'tpmstate0' },
  ];
  const parts = [
    ...disks.map(disk => grown(disk, scene)),
    ...[...disks, ...state].map(disk => moved(disk, scene)),
  ];
  return {
    actions: parts.flatMap(part => part.actions),
    changes: parts.flatMap(part => part.changes),
    waiting: parts.flatMap(part => part.waiting),
  };
}

/**
 * The slots whose line these actions change: those that move, and on a guest that runs those that grow. Nothing else
 * may be written to them before that is done: a line that waits for a restart would bring the old volume or size back.
 */
export function changingSlots(
  { actions }: Pick<VolumeActions, 'actions'>,
  power: ObservedGuest['power'],
): string[] {
  return actions.flatMap(action => {
    if (action.kind === 'configure') return Object.keys(action.set);
    return action.kind === 'move-disk' || (action.kind === 'resize' && power !== 'stopped')
      ? [action.slot]
      : [];
  });
}

interface Volume {
  field: string;
  slot: string;
  size?: number | undefined;
  storage?: string | undefined;
  format?: string | undefined;
}

const NOTHING: VolumeActions = { actions: [], changes: [], waiting: [] };

function grown({ field, slot, size }: Volume, { running, context: { done } }: Scene): VolumeActions {
  const text = running[slot];
  const { bytes } = readDrive(text);
  if (size === undefined || bytes === undefined || size <= bytes) return NOTHING;
  const isGrown = done.resized[slot] === text;
  return {
    actions: [isGrown ? sizeWritten(slot, text, size) : { kind: 'resize', slot, bytes: size }],
    changes: [{ field: `${field}.size`, from: formatSize(bytes), to: formatSize(size), effect: 'live' }],
    waiting: [],
  };
}

/**
 * PVE: without a quorum a resize grows the volume and fails at the line; the next one of the same size does nothing and
 * ends well (behaviour.md §13.1, §14.10). Writing the line again brings the true size into it; older ones take ours.
 */
function sizeWritten(slot: string, text: string | undefined, bytes: number): Action {
  const line = propertyText(slot, { ...propertiesOf(slot, text), size: bytes });
  return { kind: 'configure', set: { [slot]: line }, delete: [], slow: true, verify: true };
}

/** To another storage, or into another format where it is: PVE does both in one move (recording g7). */
function moved({ field, slot, storage, format }: Volume, { next, running }: Scene): VolumeActions {
  const text = running[slot];
  const { storage: from, format: kept } = readDrive(text);
  if (from === undefined) return NOTHING;
  const to = storage ?? from;
  const changes: Change[] = [
    ...(to === from ? [] : [{ field: `${field}.storage`, from, to, effect: 'live' as const }]),
    ...(format === undefined || format === kept
      ? []
      : [{ field: `${field}.format`, from: kept, to: format, effect: 'live' as const }]),
  ];
  if (changes.length === 0) return NOTHING;
  // A line that waits names the volume of today: after a move the next start would bring it back (assumed)
  if (next[slot] !== text)
    return { ...NOTHING, waiting: changes.map(change => ({ ...change, effect: 'restart' })) };
  return { actions: [{ kind: 'move-disk', slot, storage: to, format }], changes, waiting: [] };
}

import { keyRow } from '../../pve/keys/key-row';
import { bootSlots, DRIVE_SLOTS, NETWORK_SLOTS } from '../../guest/slot-names';
import type { Configuration } from '../../guest/configuration';
import { isCdrom, isCloudInit, isDisk } from '../../guest/drive';
import type { Scene } from '../scene';
import type { Want } from '../want';

/**
 * `bootOrder` as slots, over the devices as they will be. An order that means the same stays as it is: another disk or
 * card behind the first of its kind is no reason to write `boot`, which would wait for a restart.
 */
export function bootOrder(scene: Scene, after: Configuration): Want[] {
  const { next, spec, origin } = scene;
  const said = spec.bootOrder?.map(word => slotsOf(word, { ...scene, next: after }));
  const now = bootSlots({ boot: next.boot ?? '' }).filter(slot => after[slot] !== undefined);
  const added = origin === 'blank' ? [] : newCdroms(scene, after);
  const wanted = said && [...new Set(said.flat())].filter(slot => canBoot(slot, after));
  if (wanted === undefined || wanted.length === 0)
    return now.length === 0 || added.length === 0 ? [] : [ordered([...now, ...added])];
  const isKept = added.length === 0 && meansTheSame(now, said ?? [], after);
  if (isKept) return [{ field: 'bootOrder', key: 'boot', value: next.boot ?? '' }];
  return [ordered([...wanted, ...added.filter(slot => !wanted.includes(slot))])];
}

function ordered(slots: string[]): Want {
  return { field: 'bootOrder', key: 'boot', value: `order=${slots.join(';')}` };
}

/** PVE appends a new CD-ROM drive to the boot order by itself (behaviour.md §15.8): so the plan says it. */
function newCdroms({ next, running }: Scene, after: Configuration): string[] {
  return DRIVE_SLOTS.filter(
    slot => isCdrom(after[slot]) && next[slot] === undefined && running[slot] === undefined,
  );
}

/** Each kind begins with its first device, and each name is in its place. */
function meansTheSame(now: readonly string[], said: readonly string[][], after: Configuration): boolean {
  const named = new Set(said.flat());
  // PVE appends the drives of CDs and of cloud-init data, and leaves them there (behaviour.md §16.1)
  const isAppended = (slot: string): boolean => isAnyCdrom(after[slot]) && !named.has(slot);
  const left = now.filter((slot, place) => place === 0 || !isAppended(slot));
  const seen = new Set<string>();
  for (const slots of said) {
    const members = slots.filter(slot => canBoot(slot, after) && !seen.has(slot));
    members.forEach(slot => seen.add(slot));
    if (members[0] !== left[0] && members.length > 0) return false;
    while (left[0] !== undefined && members.includes(left[0])) left.shift();
  }
  return left.length === 0;
}

function isAnyCdrom(text: string | undefined): boolean {
  return isCdrom(text) || isCloudInit(text);
}

function slotsOf(word: string, { slots, next, spec }: Scene): string[] {
  switch (word) {
    case 'disk': {
      const root = slots.disks.root;
      const rest = [...DRIVE_SLOTS].filter(slot => isDisk(next[slot]));
      return root === undefined ? rest : [root, ...rest];
    }
    case 'network':
      return [...NETWORK_SLOTS];
    case 'cdrom':
      return DRIVE_SLOTS.filter(slot => isCdrom(next[slot]));
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

function canBoot(slot: string, after: Configuration): boolean {
  return after[slot] !== undefined && keyRow(slot)?.boots === true;
}

import { byNumber, type Losses, type LostSnapshot, type LostVolume } from '../../spec';
import type { ObservedGuest } from '../observed';
import { isCdrom, isCloudInit, isOwnVolume, readDrive } from './drive';
import { isDriveKey, isUnusedKey } from './key-kinds';
import { volumesToFree } from './unused-volumes';

/** What is read of a guest to tell what goes with it. */
type WithVolumes = Pick<ObservedGuest, 'vmid' | 'current' | 'pending' | 'forced' | 'mark'>;

/** A snapshot as Proxmox lists it. */
interface ListedSnapshot {
  name: string;
  vmstate?: boolean | undefined;
}

/**
 * What a DELETE of a guest takes with it. PVE frees each volume of the guest's own number that its configuration, what
 * waits in it, or an unused line names (behaviour.md §5, §16.8). What only a snapshot's disk line names is left on the
 * storage; the memory of a snapshot goes with the snapshot. Pure.
 */
export function lossesOf(guest: WithVolumes, snapshots: readonly ListedSnapshot[] = []): Losses {
  const lines = [...Object.entries(guest.current), ...Object.entries(guest.pending)];
  const volumes = new Map<string, LostVolume>();
  for (const [slot, text] of lines) {
    const lost = text === null ? undefined : lostVolume(slot, text, guest);
    if (lost && !volumes.has(lost.volume)) volumes.set(lost.volume, lost);
  }
  return { volumes: [...volumes.values()].sort(bySlot), snapshots: snapshots.map(lostSnapshot) };
}

/** The volumes of a guest that somebody meant to keep: unused, of its own number, and with nobody who asked for their end. */
export function keptVolumes(guest: WithVolumes): LostVolume[] {
  return lossesOf(guest).volumes.filter(({ kept }) => kept === true);
}

/**
 * The volumes that Proxmox deletes once what waits in it takes effect: of drives whose end somebody asked for by force
 * (behaviour.md §5). Those of other guests stay.
 */
export function lostByForce(guest: WithVolumes): LostVolume[] {
  const { forced = [], pending, current } = guest;
  return forced
    .filter(slot => pending[slot] === null)
    .flatMap(slot => lostVolume(slot, current[slot] ?? '', guest) ?? [])
    .filter(isDear);
}

/** Whether a person would miss it: the cloud-init drive is made of the spec, and of that again. */
export function isDear({ kind }: LostVolume): boolean {
  return kind !== 'cloud-init';
}

/** What is lost now and was not named before; undefined: nothing. */
export function unnamed(now: Losses, named: Losses): Losses | undefined {
  const volumes = now.volumes.filter(
    lost => isDear(lost) && !named.volumes.some(({ volume }) => volume === lost.volume),
  );
  const snapshots = now.snapshots.filter(({ name }) => !named.snapshots.some(other => other.name === name));
  return volumes.length + snapshots.length === 0 ? undefined : { volumes, snapshots };
}

/** Volumes, snapshots, entries and data by their names. */
export function namesOf({ volumes, snapshots, entries = [], data = [] }: Losses): string[] {
  const named = snapshots.map(({ name }) => name);
  return [...volumes.filter(isDear).map(({ volume }) => volume), ...named, ...entries, ...data];
}

/** Whether nothing is lost. */
export function losesNothing({ volumes, snapshots, entries = [], data = [] }: Losses): boolean {
  return volumes.length + snapshots.length + entries.length + data.length === 0;
}

function lostSnapshot({ name, vmstate }: ListedSnapshot): LostSnapshot {
  return { name, ...(vmstate === true && { memory: true as const }) };
}

function lostVolume(
  slot: string,
  text: string,
  { vmid, mark, current }: WithVolumes,
): LostVolume | undefined {
  const kind = kindOf(slot, text);
  const { file: volume, bytes } = readDrive(text);
  if (kind === undefined || !isOwnVolume(volume, vmid)) return undefined;
  const disk = Object.entries(mark?.disks ?? {}).find(([, at]) => at === slot)?.[0];
  return {
    slot,
    volume,
    kind,
    ...(disk !== undefined && { disk }),
    ...(bytes !== undefined && { bytes }),
    ...(kind === 'unused' && !volumesToFree(mark, current).includes(volume) && { kept: true as const }),
  };
}

/** Undefined: the line names no volume that goes with the guest. PVE leaves an ISO where it is. */
function kindOf(slot: string, text: string): LostVolume['kind'] | undefined {
  if (isUnusedKey(slot)) return 'unused';
  // the memory of a guest that was suspended to disk
  if (slot === 'vmstate') return 'state';
  if (!isDriveKey(slot) || isCdrom(text)) return undefined;
  if (isCloudInit(text)) return 'cloud-init';
  return slot === 'efidisk0' ? 'efi' : slot === 'tpmstate0' ? 'tpm' : 'disk';
}

function bySlot(one: LostVolume, other: LostVolume): number {
  const rank = ({ kind }: LostVolume): number => Number(kind === 'unused');
  return rank(one) - rank(other) || byNumber(one.slot, other.slot);
}

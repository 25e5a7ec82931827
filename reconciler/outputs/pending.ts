import { pveKey } from '../../spec';
import type { Change } from '../action';
import { isCloudInit, isDisk, readDrive } from '../guest/drive';
import { isOnlySign, waitsForBoot } from '../guest/next-boot';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';
import { nameOf } from './devices';
import { isSecretKey } from '../guest/key-kinds';
import { busOf } from '../guest/slot-names';

/**
 * What waits for a restart, where no spec is at hand: by the fields that a spec would say it in. A key that is no
 * field's stands under `options`, as a spec would hold it. A password that waits in Proxmox is not told, not even that
 * there is one; one of ours that waits for a boot is, by its field alone.
 */
export function pendingChanges(guest: ObservedGuest): Change[] {
  const inProxmox = Object.entries(guest.pending)
    .filter(([key, to]) => !isSecretKey(key) && !isSign(key, to, guest))
    .map(([key, to]): Change => ({
      field: fieldOf(key, guest),
      from: shown(key, guest.current[key]),
      to: shown(key, to ?? undefined),
      effect: 'restart',
    }));
  return [...inProxmox, ...waitingForBoot(guest)];
}

/** What Proxmox shows as in effect, and the guest reads at its next boot. */
function waitingForBoot(guest: ObservedGuest): Change[] {
  const { current } = guest;
  const waits = Object.entries(waitsForBoot(guest) ?? {}).filter(
    ([key, text]) => text !== (current[key] ?? ''),
  );
  return waits.map(([key, text]): Change => {
    if (isSecretKey(key))
      return { field: fieldOf(key, guest), from: undefined, to: undefined, effect: 'restart' };
    const from = text === null || text === '' ? undefined : shown(key, text);
    const to = busOf(key) === undefined ? shown(key, current[key]) : readDrive(current[key]).file;
    return { field: fieldOf(key, guest), from, to, effect: 'restart' };
  });
}

function isSign(key: string, to: string | null, guest: ObservedGuest): boolean {
  return key === 'smbios1' && waitsForBoot(guest) !== undefined && isOnlySign(to, guest.current[key]);
}

function fieldOf(key: string, guest: ObservedGuest): string {
  if (busOf(key) !== undefined) return driveField(key, guest);
  const card = /^(?:net|ipconfig)(\d+)$/.exec(key)?.[1];
  if (card !== undefined) return `networks[${nameOf(`net${card}`, guest.mark?.networks)}]`;
  const known = pveKey(key);
  if (known?.key.reserved !== undefined) return key;
  if (known?.key.field === undefined) return `options.${key}`;
  return known.index === undefined ? known.key.field : `${known.key.field}[${known.index}]`;
}

function driveField(slot: string, { current, pending, mark }: ObservedGuest): string {
  const text = pending[slot] ?? current[slot];
  if (isCloudInit(text) || mark?.nextBoot?.[slot] !== undefined) return 'cloudInit';
  return isDisk(text) ? `disks[${nameOf(slot, mark?.disks)}]` : 'cdrom';
}

function shown(key: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return shownValue(key === 'memory' ? { key, property: 'current' } : { key }, text);
}

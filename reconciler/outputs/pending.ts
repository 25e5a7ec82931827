import { pveKey } from '../../spec';
import type { Change } from '../action';
import { isCloudInit, isDisk } from '../guest/drive';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';
import { nameOf } from './devices';
import { isSecretKey } from '../guest/key-kinds';
import { busOf } from '../guest/slot-names';

/**
 * What waits for a restart, where no spec is at hand: by the fields that a spec would say it in. A key that is no
 * field's stands under `options`, as a spec would hold it. A password is not told, not even that there is one.
 */
export function pendingChanges(guest: ObservedGuest): Change[] {
  return Object.entries(guest.pending)
    .filter(([key]) => !isSecretKey(key))
    .map(([key, to]) => ({
      field: fieldOf(key, guest),
      from: shown(key, guest.current[key]),
      to: shown(key, to ?? undefined),
      effect: 'restart',
    }));
}

function fieldOf(key: string, guest: ObservedGuest): string {
  if (busOf(key) !== undefined) return driveField(key, guest);
  const card = /^(?:net|ipconfig)(\d+)$/.exec(key)?.[1];
  if (card !== undefined) return `networks[${nameOf(`net${card}`, guest.mark?.n)}]`;
  const known = pveKey(key);
  if (known?.key.reserved !== undefined) return key;
  if (known?.key.field === undefined) return `options.${key}`;
  return known.index === undefined ? known.key.field : `${known.key.field}[${known.index}]`;
}

function driveField(slot: string, { current, pending, mark }: ObservedGuest): string {
  const text = pending[slot] ?? current[slot];
  if (isCloudInit(text)) return 'cloudInit';
  return isDisk(text) ? `disks[${nameOf(slot, mark?.d)}]` : 'cdrom';
}

function shown(key: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return shownValue(key === 'memory' ? { key, property: 'current' } : { key }, text);
}

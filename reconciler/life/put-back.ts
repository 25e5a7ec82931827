import type { ObservedGuest } from '../observed';
import { propertiesOf, propertyText, type Configuration } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import { isOnlySign } from '../guest/next-boot';

/** What brings a guest's configuration back to what it ran with. */
export interface PutBack {
  set: Record<string, string>;
  delete: string[];
  keys: string[];
}

/**
 * What waited for the start that failed, as it was before. Only that: whatever else was written since stays. A volume
 * is attached again only where it is still the guest's own, and nothing is deleted but lines.
 */
export function putBack(
  { current: ran, pending }: Pick<ObservedGuest, 'current' | 'pending'>,
  now: Configuration,
): PutBack {
  const set: Record<string, string> = {};
  const gone: string[] = [];
  for (const key of Object.keys(pending)) {
    if (key === 'smbios1' && isOnlySign(pending[key], ran[key])) continue;
    const text = asItWas(key, ran[key], now);
    if (text === now[key]) continue;
    if (text === undefined) gone.push(key);
    else set[key] = text;
  }
  return { set, delete: gone, keys: [...Object.keys(set), ...gone] };
}

/** A drive's line keeps the size that its volume has by now; the line of a volume that is elsewhere now stays. */
function asItWas(key: string, was: string | undefined, now: Configuration): string | undefined {
  if (was === undefined || !isDriveKey(key)) return was;
  const volume = readDrive(was).file;
  const there = now[key];
  if (there === undefined) return Object.values(now).includes(volume) ? was : undefined;
  if (readDrive(there).file !== volume) return there;
  const { size } = propertiesOf(key, there);
  return size === undefined ? was : propertyText(key, { ...propertiesOf(key, was), size });
}

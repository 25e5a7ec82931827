import { pveKey } from '../../spec';
import { type Change, writtenKeys } from '../action';
import { readDrive } from '../guest/drive';
import { isCloudInitKey, isSecretKey } from '../guest/key-kinds';
import { bootText, waitsForBoot, withoutSign, withSign, type BootTexts } from '../guest/next-boot';
import type { Comparison, EffectOf } from '../machine/compare';
import { effectOn } from '../machine/live-or-restart';
import type { Scene } from '../machine/scene';
import { changesData, wantsDataIso } from '../machine/wanted-data-iso';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';

/** What a write of the configuration carries beside its keys, where a running guest reads some of them at its next boot. */
export interface BootWrite {
  set: Record<string, string>;
  /** What the mark remembers then. */
  texts: BootTexts | undefined;
  /** Whether the ISO that waits says nothing new but a name, a MAC address or a slot. */
  keepsData?: true | undefined;
}

/** The same write's sign that a boot is due, or the end of it where all is again as the guest was started. */
export function bootWrite(
  scene: Scene,
  guest: ObservedGuest,
  written: Pick<Comparison, 'set' | 'delete'>,
  effectOf: EffectOf,
): BootWrite {
  const before = waitsForBoot(guest);
  const texts: Record<string, string | null> = { ...before };
  const atOnce = effectOn(scene.running, guest.power === 'running');
  for (const key of writtenKeys(written)) {
    const text = written.set[key];
    // a drive's line that Proxmox itself holds back waits there
    const isRead = isCloudInitKey(key) || (key === scene.slots.cloudInit && atOnce(key, text) === 'live');
    if (!isRead) continue;
    if (effectOf(key, text) === 'live') delete texts[key];
    else texts[key] = key in texts ? (texts[key] ?? null) : bootText(key, scene.next[key]);
  }
  const isDue = Object.keys(texts).length > 0;
  if (!isDue && before === undefined) return { set: {}, texts: undefined };
  const line = written.set['smbios1'] ?? scene.next['smbios1'] ?? '';
  const { smbios1: runs } = guest.current;
  const signed = isDue ? withSign(line, runs) : withoutSign(line, runs);
  return {
    set: signed === scene.next['smbios1'] ? {} : { smbios1: signed },
    texts: isDue ? texts : undefined,
    keepsData: keepsData(scene, guest, texts),
  };
}

/** What the guest was started with is not kept: so it is judged at each write whether that one adds something new. */
function keepsData(scene: Scene, guest: ObservedGuest, texts: BootTexts): true | undefined {
  const { cloudInit } = scene.slots;
  if (!(cloudInit in texts) || !wantsDataIso(scene) || changesData(scene)) return undefined;
  return cloudInit in (waitsForBoot(guest) ?? {}) ? guest.mark?.keepsData : true;
}

/** What waits for the next boot and is not kept as it was: a secret, long texts, a medium with data. */
export function unkeptWaiting(scene: Scene, guest: ObservedGuest): Change[] {
  const unkept = Object.entries(waitsForBoot(guest) ?? {}).filter(([, text]) => text === null);
  return unkept.map(([key]): Change => {
    const said = isCloudInitKey(key) ? pveKey(key)?.key.field : undefined;
    const [from, to] = isSecretKey(key) ? [SECRET, SECRET] : [AS_STARTED, shownAt(key, scene)];
    return { field: said ?? 'cloudInit', from, to, effect: 'restart' };
  });
}

const SECRET = '(secret)';
const AS_STARTED = 'what it was started with';

function shownAt(key: string, { next }: Scene): string | undefined {
  const text = next[key];
  if (text === undefined) return undefined;
  return isCloudInitKey(key) ? shownValue({ key }, text) : readDrive(text).file;
}

import { pveKey } from '../../spec';
import type { Change } from '../action';
import { isCloudInit, readDrive } from '../guest/drive';
import { isCloudInitKey, isSecretKey } from '../guest/key-kinds';
import { bootText, waitsForBoot, withoutSign, withSign, type BootTexts } from '../guest/next-boot';
import type { Comparison, CostOf } from '../machine/compare';
import { isDataIso } from '../machine/data-iso/data-iso-name';
import { costOn } from '../machine/effect';
import type { Scene } from '../machine/scene';
import { shownValue } from '../machine/shown-value';
import type { ObservedGuest } from '../observed';

/**
 * What a change costs this machine: another medium with cloud-init data is plugged in at once, and read at the next boot.
 * The address of a card that leaves costs what the card costs: no boot has to read that it is gone.
 */
export function costIn(scene: Scene, { power }: Pick<ObservedGuest, 'power'>): CostOf {
  const cost = costOn(scene.running, power === 'running');
  const leaving = [...Object.values(scene.slots.goneNetworks), ...scene.slots.spareNetworks];
  return (key, text) => {
    const card = leaving.find(slot => slot.replace('net', 'ipconfig') === key);
    if (card !== undefined) return cost(card, text);
    return power === 'running' && changesData(scene, key, text) ? 'restart' : cost(key, text);
  };
}

function changesData({ slots, next }: Scene, key: string, text: string | undefined): boolean {
  const isData = (line: string | undefined): boolean => isCloudInit(line) || isDataIso(readDrive(line).file);
  return key === slots.cloudInit && text !== next[key] && [next[key], text].some(isData);
}

/** What a write of the configuration carries beside its keys, where a running guest reads some of them at its next boot. */
export interface BootWrite {
  set: Record<string, string>;
  /** What the mark remembers then. */
  texts: BootTexts | undefined;
}

/** The same write's sign that a boot is due, or the end of it where all is again as the guest was started. */
export function bootWrite(
  scene: Scene,
  guest: ObservedGuest,
  written: Pick<Comparison, 'set' | 'delete'>,
  costOf: CostOf,
): BootWrite {
  const before = waitsForBoot(guest);
  const texts: Record<string, string | null> = { ...before };
  const atOnce = costOn(scene.running, guest.power === 'running');
  for (const key of [...Object.keys(written.set), ...written.delete]) {
    const text = written.set[key];
    // a drive's line that Proxmox itself holds back waits there
    const isRead = isCloudInitKey(key) || (key === scene.slots.cloudInit && atOnce(key, text) === 'live');
    if (!isRead) continue;
    if (costOf(key, text) === 'live') delete texts[key];
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
  };
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

import type { ObservedGuest } from '../observed';
import type { Configuration } from './configuration';
import { isCloudInitKey, isSecretKey } from './key-kinds';

/**
 * What a guest reads at its next boot, and only then: its cloud-init data. Proxmox shows such a key as in effect at once
 * (behaviour.md §9). So each write of one to a guest that runs also writes the uuid in `smbios1` in letters of the other
 * case: the same uuid, and a text that Proxmox keeps pending until it starts the guest (recording 30). As long as it is
 * pending, the guest was not started since; a move to another node keeps it. The mark names the keys (ADR 0022).
 *
 * These are the texts that the guest was started with, by key: `''` is none, null is another one that is not kept.
 */
export type BootTexts = Readonly<Record<string, string | null>>;

/** As much of a guest as tells what it was started with. */
type Guest = Pick<ObservedGuest, 'current' | 'pending' | 'power'> & { mark?: ObservedGuest['mark'] };

/** What was written for the next boot of a guest that was not started since; undefined: nothing. */
export function waitsForBoot({ mark, power, current, pending }: Guest): BootTexts | undefined {
  const { smbios1 } = pending;
  const isSign = typeof smbios1 === 'string' && uuidIn(smbios1) !== uuidIn(current.smbios1);
  return power !== 'stopped' && isSign ? mark?.nextBoot : undefined;
}

/** What runs: the configuration with the texts that the guest was started with, where they are known. */
export function runningConfiguration(guest: Guest): Configuration {
  const texts = Object.entries(waitsForBoot(guest) ?? {});
  if (texts.length === 0) return guest.current;
  const running: Record<string, string> = { ...guest.current };
  for (const [key, text] of texts) {
    if (text === '') delete running[key];
    else if (text !== null) running[key] = text;
  }
  return running;
}

/** The text to remember of a key: never a secret, no volume, and nothing long, as the mark is short. */
export function bootText(key: string, text = ''): string | null {
  return isSecretKey(key) || !isCloudInitKey(key) || text.length > LONGEST ? null : text;
}

const LONGEST = 200;

/** A line of `smbios1` that waits in Proxmox beside this one, which runs: with the same uuid in other letters. */
export function withSign(line: string, running: string | undefined): string {
  const uuid = uuidIn(running);
  if (uuid === undefined || uuidIn(line) !== uuid) return line;
  const other = uuid === uuid.toLowerCase() ? uuid.toUpperCase() : uuid.toLowerCase();
  return line.replace(UUID, `$1uuid=${other}`);
}

/** The same line without the sign that something waits. */
export function withoutSign(line: string, running: string | undefined): string {
  return isSameUuid(line, running) ? line.replace(UUID, `$1uuid=${uuidIn(running)}`) : line;
}

/** Whether two lines of `smbios1` differ only in the sign that something waits for the next boot. */
export function isOnlySign(line: string | null | undefined, running: string | undefined): boolean {
  return typeof line === 'string' && line !== running && withoutSign(line, running) === running;
}

const UUID = /(^|,)uuid=([0-9a-f-]+)/i;

function uuidIn(line = ''): string | undefined {
  return UUID.exec(line)?.[2];
}

function isSameUuid(line: string, other: string | undefined): boolean {
  return uuidIn(line)?.toLowerCase() === uuidIn(other)?.toLowerCase();
}

import * as z from 'zod';
import { refuse, wants } from '../fields/wants';

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
const FORM = /^(\d+(?:\.\d+)?)(?:([KMGT])(?:iB?)?)?$/;
const BYTES_OF: Record<string, number> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

export const MiB = 2 ** 20;
export const GiB = 2 ** 30;

/** Reads "20G", "64Mi" or a number of bytes; undefined when it is no size. All suffixes are powers of 1024. */
export function parseSize(given: string | number): number | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : undefined;
  const [, digits, unit] = FORM.exec(given) ?? [];
  if (digits === undefined) return undefined;
  const bytes = Number(digits) * (unit === undefined ? 1 : (BYTES_OF[unit] ?? 1));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** The shortest exact text of a number of bytes: 4294967296 is "4Gi". */
export function formatSize(bytes: number): string {
  return sizeIn(bytes, unitOf(bytes));
}

/** Two sizes that a person compares, exact and in one unit: 768 MiB and 2 GiB are "768Mi" and "2048Mi". */
export function inOneUnit(one: number, other: number): [one: string, other: string] {
  const units = [one, other].filter(bytes => bytes !== 0).map(unitOf);
  const unit = Math.min(...units, UNITS.length - 1);
  return [sizeIn(one, unit), sizeIn(other, unit)];
}

function sizeIn(bytes: number, unit: number): string {
  return bytes === 0 ? '0' : `${bytes / 1024 ** unit}${UNITS[unit]}`;
}

/** The largest unit in which a number of bytes is whole. */
function unitOf(bytes: number): number {
  let unit = 0;
  while (bytes > 0 && bytes % 1024 ** (unit + 1) === 0 && unit < UNITS.length - 1) unit += 1;
  return unit;
}

/**
 * A size of at least `from` in whole steps. Its parsed form is bytes, so that "4Gi" and 4294967296 are one spec.
 * `counts`: what people count when they write a number alone.
 */
export function sizeOf(from: number, step: number, counts: 'memory' | 'disks' = 'memory') {
  const whole = step > 1 ? `, in whole ${formatSize(step).slice(1)}B` : '';
  const allowed = `a size of at least ${formatSize(from)}${whole}: bytes, or text such as "512Mi", "4Gi", "20G"`;
  return z.union([z.number(), z.string()], wants(allowed)).transform((given, ctx) => {
    const bytes = parseSize(given);
    if (bytes === undefined) return refuse(ctx, given, allowed, tooLarge(given) ?? mendSize(given));
    if (bytes % step !== 0 && bytes < MiB && isBare(given))
      return refuse(ctx, given, allowed, MEANT[counts](bytes));
    if (bytes < from) return refuse(ctx, given, allowed, `Raise it to "${formatSize(from)}" or more.`);
    if (bytes % step !== 0) return refuse(ctx, given, allowed, nearest(bytes, step));
    return bytes;
  });
}

/** What is a size, and larger than numbers here are exact. */
function tooLarge(given: string | number): string | undefined {
  const isSize = typeof given === 'number' ? given > Number.MAX_SAFE_INTEGER : FORM.test(given);
  return isSize && !isFraction(given) ? 'Lower it: 8191Ti is the most that can be said.' : undefined;
}

/** Less than a byte is left over. */
function isFraction(given: string | number): boolean {
  return parseFloat(String(given)) % 1 !== 0;
}

function mendSize(given: string | number): string | undefined {
  const [, digits, letter] = /^(\d+(?:\.\d+)?) *([kmgt])i?b?$/i.exec(String(given)) ?? [];
  if (digits === undefined || letter === undefined) return undefined;
  return `Write "${digits}${letter.toUpperCase()}i": every suffix is a power of 1024.`;
}

function isBare(given: string | number): boolean {
  return typeof given === 'number' || /^\d+$/.test(given);
}

const ALONE = 'A number alone counts bytes.';

// Proxmox itself counts memory in MiB and disks in GiB; nobody gives a machine 64 MiB or less in its own units.
const MEANT: Readonly<Record<'memory' | 'disks', (count: number) => string>> = {
  memory: count =>
    count < 64
      ? `Did you mean "${count}Gi"? ${ALONE}`
      : `Did you mean "${formatSize(count * MiB)}" (${count} MiB)? ${ALONE}`,
  disks: count => `Did you mean "${count}G"? ${ALONE}`,
};

function nearest(bytes: number, step: number): string {
  return `Use "${formatSize(Math.ceil(bytes / step) * step)}", the next whole one.`;
}

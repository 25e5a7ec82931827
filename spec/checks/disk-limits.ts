import type { DiskSpec } from '../machine/disk';
import { under, type Finding } from '../reading/problem';

type Limits = NonNullable<DiskSpec['limits']>;
type Limit = keyof Limits;

/** A total, and the two halves that say the same in parts: a drive has the one or the others. */
export const LIMIT_HALVES = [
  ['mbps', ['mbpsRead', 'mbpsWrite']],
  ['mbpsMax', ['mbpsReadMax', 'mbpsWriteMax']],
  ['iops', ['iopsRead', 'iopsWrite']],
  ['iopsMax', ['iopsReadMax', 'iopsWriteMax']],
] as const satisfies readonly (readonly [Limit, readonly Limit[]])[];

/** A burst, and the limit that it exceeds. */
export const LIMIT_BURSTS = [
  ['mbpsMax', 'mbps'],
  ['mbpsReadMax', 'mbpsRead'],
  ['mbpsWriteMax', 'mbpsWrite'],
  ['iopsMax', 'iops'],
  ['iopsReadMax', 'iopsRead'],
  ['iopsWriteMax', 'iopsWrite'],
] as const satisfies readonly (readonly [Limit, Limit])[];

/** How long a burst may last, in PVE's words, and the burst. */
export const BURST_LENGTHS = {
  bps_max_length: 'mbpsMax',
  bps_rd_max_length: 'mbpsReadMax',
  bps_wr_max_length: 'mbpsWriteMax',
  iops_max_length: 'iopsMax',
  iops_rd_max_length: 'iopsReadMax',
  iops_wr_max_length: 'iopsWriteMax',
} as const satisfies Readonly<Record<string, Limit>>;

/** Limits of a disk that PVE or QEMU refuse together. 0 is no limit. */
export function* diskLimitFindings({ limits = {}, options = {} }: DiskSpec): Iterable<Finding> {
  yield* under(['limits'], halfFindings(limits));
  yield* under(['limits'], burstFindings(limits));
  for (const [name, burst] of Object.entries(BURST_LENGTHS)) {
    if (options[name] === undefined || isLimit(limits[burst])) continue;
    yield {
      path: ['options', name],
      reason: `is the length of a burst, and limits.${burst} is ${said(limits[burst])}`,
      allowed: `with limits.${burst}`,
      remedy: `Set limits.${burst}, or remove ${name}.`,
    };
  }
}

// PVE: "unable to parse drive options"
function* halfFindings(limits: Limits): Iterable<Finding> {
  for (const [total, halves] of LIMIT_HALVES) {
    for (const half of halves) {
      if (!isLimit(limits[total]) || !isLimit(limits[half])) continue;
      yield {
        path: [half],
        reason: `is a part of ${total}, which is ${said(limits[total])}`,
        allowed: `either ${total}, or ${halves.join(' and ')}`,
        remedy: `Keep ${total}, or its two halves.`,
      };
    }
  }
}

function* burstFindings(limits: Limits): Iterable<Finding> {
  for (const [burst, base] of LIMIT_BURSTS) {
    const [most, usual] = [limits[burst], limits[base]];
    if (!isLimit(most)) continue;
    if (!isLimit(usual)) {
      yield {
        path: [burst],
        reason: `is a burst above ${base}, which is ${said(usual)}`,
        allowed: `with ${base}`,
        remedy: `Set ${base}, or remove ${burst}.`,
      };
      // QEMU refuses a burst below the limit itself (assumed: PVE takes it, and the start fails)
    } else if (most < usual) {
      yield {
        path: [burst],
        reason: `is less than ${base}, which is ${usual}`,
        allowed: `at least ${usual}`,
        remedy: `Raise it to ${usual} or more, or lower ${base}.`,
      };
    }
  }
}

function isLimit(value: number | undefined): value is number {
  return value !== undefined && value !== 0;
}

function said(value: number | undefined): string {
  return value === undefined ? 'not set' : String(value);
}

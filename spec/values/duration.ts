import * as z from 'zod';
import { refuse, wants } from '../fields/wants';

const MILLISECONDS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const UNITS = ['h', 'm', 's', 'ms'] as const;
const EXAMPLES = ['500ms', '30s', '5m', '1h'];
const FORM = /^(?:\d+(?:ms|h|m|s))+$/;

/** The milliseconds of a duration that was parsed, or of a default. Throws on other text. */
export function milliseconds(duration: string): number {
  const read = parseDuration(duration);
  if (read === undefined) throw new RangeError(`${JSON.stringify(duration)} is no duration`);
  return read;
}

function parseDuration(given: string): number | undefined {
  if (!FORM.test(given)) return undefined;
  let total = 0;
  for (const [, count, unit] of given.matchAll(/(\d+)(ms|h|m|s)/g)) {
    total += Number(count) * MILLISECONDS[UNITS.find(known => known === unit) ?? 'ms'];
  }
  return Number.isSafeInteger(total) ? total : undefined;
}

/** The shortest text of one unit: 90 s is "90s", 60 s is "1m". */
export function formatDuration(ms: number): string {
  const unit = UNITS.find(candidate => ms > 0 && ms % MILLISECONDS[candidate] === 0) ?? 'ms';
  return `${ms / MILLISECONDS[unit]}${unit}`;
}

/** A duration as text, within both bounds. Its parsed form is text still, so that no unit is ever guessed. */
export function durationOf(from: string, to: string, step = 1) {
  const [low, high] = [milliseconds(from), milliseconds(to)];
  const isAllowed = (ms: number): boolean => ms >= low && ms <= high && ms % step === 0;
  const fitting = EXAMPLES.filter(text => isAllowed(milliseconds(text)));
  const allowed = `a duration from "${from}" to "${to}", such as ${fitting.map(text => `"${text}"`).join(', ')}`;
  return z
    .string(
      wants(allowed, given =>
        typeof given === 'number' ? `Name the unit: "${given}s" for ${given} seconds.` : undefined,
      ),
    )
    .transform((given, ctx) => {
      const ms = parseDuration(given);
      if (ms === undefined) return refuse(ctx, given, allowed);
      if (ms < low) return refuse(ctx, given, allowed, `Raise it to "${from}" or more.`);
      if (ms > high) return refuse(ctx, given, allowed, `Lower it to "${to}" or less.`);
      if (ms % step !== 0) return refuse(ctx, given, allowed, 'Use whole seconds.');
      return formatDuration(ms);
    });
}

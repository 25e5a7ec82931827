import * as z from 'zod';

/** Opens every message that a schema of ours writes, so that it is told apart from zod's own. */
export const WANTS = 'wants: ';

/**
 * The error option of a schema: what it allows and, where `mend` knows it, how to mend the value given.
 * The text is read back by `findingsOf`, which adds the path and the reason.
 */
export function wants(allowed: string, mend?: (given: unknown) => string | undefined) {
  const error = (issue: { input?: unknown }) => message(allowed, mend?.(issue.input));
  phrases.set(error, allowed);
  return { error };
}

const phrases = new WeakMap<object, string>();

/** What a schema made with `wants` allows; undefined for one that was not. */
export function allowedBy(schema: z.core.$ZodType): string | undefined {
  const { error } = schema._zod.def;
  return error === undefined ? undefined : phrases.get(error);
}

function message(allowed: string, remedy: string | undefined): string {
  return remedy === undefined ? `${WANTS}${allowed}` : `${WANTS}${allowed}\n${remedy}`;
}

/** A whole number within both bounds, which are allowed themselves. */
export function wholeNumber(from: number, to: number, unit = '') {
  const told = wants(`a whole number from ${from} to ${to}${unit}`);
  const checks = [z.gte(from, told), z.lte(to, told)];
  // Not z.int().check(): that makes two schemas of each, and there are hundreds when a program starts.
  return new z.ZodNumberFormat({
    type: 'number',
    check: 'number_format',
    format: 'safeint',
    abort: false,
    checks,
    ...told,
  });
}

/** A number within both bounds, which are allowed themselves. */
export function decimal(from: number, to: number, unit = '') {
  const told = wants(`a number from ${from} to ${to}${unit}`);
  return z.number(told).check(z.gte(from, told), z.lte(to, told));
}

/** Text of one form. */
export function text(form: RegExp, allowed: string, mend?: (given: string) => string | undefined) {
  const told = wants(allowed, given => (typeof given === 'string' ? mend?.(given) : undefined));
  return new z.ZodString({ type: 'string', checks: [z.regex(form, told)], ...told });
}

/** A list whose order and repetitions mean nothing: sorted, each entry once. */
export function setOf<S extends z.ZodType<string>>(entry: S) {
  return z.array(entry).transform(list => [...new Set(list)].sort());
}

/** Tells why a text cannot be read, from inside a transform. */
export function refuse(ctx: z.RefinementCtx, input: unknown, allowed: string, remedy?: string) {
  ctx.issues.push({ code: 'custom', input, message: message(allowed, remedy) });
  return z.NEVER;
}

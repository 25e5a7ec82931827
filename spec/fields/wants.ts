import * as z from 'zod';

/** What a schema of ours says of a value that it does not take. */
class Wants {
  constructor(
    readonly allowed: string,
    readonly remedy: string | undefined,
  ) {}
}

/** The error option of a schema: what it allows and, where `mend` knows it, how to mend the value given. */
export function wants(allowed: string, mend?: (given: unknown) => string | undefined) {
  const error = (issue: { input?: unknown; wants?: unknown }): string => {
    // zod hands out the fields that an issue has by then
    issue.wants = new Wants(allowed, mend?.(issue.input));
    return allowed;
  };
  phrases.set(error, allowed);
  return { error };
}

/** What the schema that found an issue wants; undefined where the words are zod's own. */
export function wantsOf(issue: object): Wants | undefined {
  return 'wants' in issue && issue.wants instanceof Wants ? issue.wants : undefined;
}

const phrases = new WeakMap<object, string>();

/** What a schema made with `wants` allows; undefined for one that was not. */
export function allowedBy(schema: z.core.$ZodType): string | undefined {
  const { error } = schema._zod.def;
  return error === undefined ? undefined : phrases.get(error);
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
  ctx.issues.push({ code: 'custom', input, message: allowed, wants: new Wants(allowed, remedy) });
  return z.NEVER;
}

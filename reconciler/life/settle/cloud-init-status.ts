import * as z from 'zod';

/** What cloud-init writes of itself at each boot; `/run` is empty when a guest boots, so it is always of this boot. */
export const STATUS_FILE = '/run/cloud-init/status.json';
/** Only there where cloud-init is switched off. */
export const DISABLED_FILE = '/run/cloud-init/disabled';

const LAST_STAGE = 'modules-final';
/** Older releases of cloud-init know no recoverable errors. What a guest writes may be anything. */
const Stage = z.object({
  finished: z.number().nullish().catch(undefined),
  errors: z.array(z.string()).catch([]),
  recoverable_errors: z.record(z.string(), z.array(z.string())).catch({}),
});
const Status = z.object({ v1: z.record(z.string(), z.unknown()) });

/** How far cloud-init is: still at work, or done, with what it says went wrong. */
export type CloudInitStatus =
  | { done: false; stage: string }
  | { done: true; status: 'done' | 'error' | 'degraded done'; errors: string[] };

/** Undefined: the text is no status. */
export function cloudInitStatus(text: string): CloudInitStatus | undefined {
  const stages = stagesOf(text);
  if (stages === undefined) return undefined;
  const { stage, [LAST_STAGE]: last } = stages;
  const isDone = typeof Stage.safeParse(last).data?.finished === 'number';
  if (isDone) return ended(Object.values(stages).map(errorsOf));
  return { done: false, stage: typeof stage === 'string' ? stage : 'its beginning' };
}

function stagesOf(text: string): Record<string, unknown> | undefined {
  try {
    return Status.safeParse(JSON.parse(text)).data?.v1;
  } catch {
    return undefined;
  }
}

interface Errors {
  fatal: string[];
  recoverable: string[];
}

/** In the words of `cloud-init status`. */
function ended(all: readonly Errors[]): CloudInitStatus {
  const fatal = all.flatMap(each => each.fatal);
  const recoverable = all.flatMap(each => each.recoverable);
  const status = fatal.length > 0 ? 'error' : recoverable.length > 0 ? 'degraded done' : 'done';
  return { done: true, status, errors: [...fatal, ...recoverable] };
}

/** A deprecated key does what it says. */
function errorsOf(stage: unknown): Errors {
  const read = Stage.safeParse(stage).data;
  if (read === undefined) return { fatal: [], recoverable: [] };
  const { DEPRECATED: _, ...recoverable } = read.recoverable_errors;
  return { fatal: read.errors, recoverable: Object.values(recoverable).flat() };
}

import { InputError } from '../errors';

/** Neither a document of ours nor a plan of Terraform is nested so deep; what walks through one has room for it. */
const DEEPEST = 200;

/** Parses JSON. The error names what was read and where it breaks, and shows nothing of the text. */
export function readJson(text: string, what: string): unknown {
  if (text.trim() === '') throw new InputError(`${what} is empty: JSON is expected.`);
  const value = parsed(text, what);
  refuseDeep(value, what);
  return value;
}

/** Throws where a value is nested deeper than any document of ours. */
export function refuseDeep(value: unknown, what: string): void {
  if (isDeep(value))
    throw new InputError(`${what} is nested more than ${DEEPEST} levels deep: no document of ours is.`);
}

function parsed(text: string, what: string): unknown {
  try {
    // editors on Windows begin a file with a mark of its encoding
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError(`${what} is no valid JSON${placeOf(error, text)}.`);
  }
}

// Level by level: a walk that calls itself would end where this must not.
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) level = level.flatMap(within);
  return level.length > 0;
}

function within(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function placeOf(error: unknown, text: string): string {
  const offset = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (offset === undefined) return ': it ends too early, or breaks at its first character';
  const before = text.slice(0, Number(offset)).split('\n');
  return `: it breaks at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

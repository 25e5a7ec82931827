import { InputError } from './errors';

/** Parses JSON. The error names what was read and where it breaks, and shows nothing of the text. */
export function readJson(text: string, what: string): unknown {
  if (text.trim() === '') throw new InputError(`${what} is empty: JSON is expected.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${what} is no valid JSON${placeOf(error, text)}.`);
  }
}

function placeOf(error: unknown, text: string): string {
  const offset = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (offset === undefined) return ': it ends too early, or breaks at its first character';
  const before = text.slice(0, Number(offset)).split('\n');
  return `: it breaks at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

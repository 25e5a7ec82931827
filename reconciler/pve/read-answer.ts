import * as z from 'zod';
import type { WireAnswer } from './classify';
import { PveError } from './errors';

interface Expectation<T> {
  method: string;
  path: string;
  answer: z.ZodType<T>;
}

/** The `data` of an answer in the shape that we rely on, or an `unreadable` error that names the place. */
export function readAnswer<T>(
  { method, path, answer: shape }: Expectation<T>,
  { status, text }: WireAnswer,
): T {
  const read = z.object({ data: shape }).safeParse(parseJson(text));
  if (read.success) return read.data.data;
  const places = read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  throw new PveError('unreadable', {
    method,
    path,
    status,
    text: `unexpected answer (${places.join('; ')})`,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

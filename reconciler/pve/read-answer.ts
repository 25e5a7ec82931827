import type * as z from 'zod';
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
  const read = shape.safeParse(dataOf(text));
  if (read.success) return read.data;
  const places = read.error.issues.map(issue => `${['data', ...issue.path].join('.')}: ${issue.message}`);
  throw new PveError('unreadable', {
    method,
    path,
    status,
    text: `unexpected answer (${places.join('; ')})`,
  });
}

function dataOf(text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined;
  } catch {
    return undefined;
  }
}

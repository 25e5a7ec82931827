import type * as z from 'zod';
import { jsonOf, type WireAnswer } from './classify';
import { PveError } from './errors';

interface Expectation<T> {
  method: string;
  path: string;
  answer: z.ZodType<T>;
}

/** The `data` of an answer in the shape that we rely on, or an `unreadable` error that names the place. */
export function readAnswer<T>({ method, path, answer: shape }: Expectation<T>, answer: WireAnswer): T {
  const unreadable = (why: string): PveError =>
    new PveError('unreadable', { method, path, status: answer.status, text: `unexpected answer (${why})` });
  const told = dataOf(answer);
  if ('why' in told) throw unreadable(told.why);
  const read = shape.safeParse(told.data);
  if (read.success) return read.data;
  const places = read.error.issues.slice(0, 3).map(issue => {
    return `${['data', ...issue.path].join('.')}: ${issue.message}`;
  });
  throw unreadable(places.join('; '));
}

function dataOf({ status, text }: WireAnswer): { data: unknown } | { why: string } {
  // undici follows no redirection: what is meant for Proxmox goes nowhere else
  if (status >= 300)
    return { why: 'it leads to another address; the endpoint must be that of Proxmox itself' };
  if (!isModest(text)) return { why: `more than ${MOST_VALUES} values` };
  const answer = jsonOf(text);
  if (answer === undefined) return { why: 'no JSON' };
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return isObject ? { data: 'data' in answer ? answer.data : undefined } : { why: 'no JSON object' };
}

/** How many values an answer may hold: each costs far more memory than its text. Proxmox has some 25 for a guest. */
const MOST_VALUES = 1_000_000;

function isModest(text: string): boolean {
  if (text.length <= MOST_VALUES) return true;
  let values = 0;
  for (let index = 0; index < text.length && values <= MOST_VALUES; index += 1) {
    if (BEFORE_VALUE.has(text.charCodeAt(index))) values += 1;
  }
  return values <= MOST_VALUES;
}

const BEFORE_VALUE = new Set([...',[{'].map(sign => sign.charCodeAt(0)));

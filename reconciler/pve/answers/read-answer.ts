import * as z from 'zod';
import { kindOfText } from './error-texts';
import { PveError } from './errors';
import type { PveErrorKind } from './failure-decisions';
import type { Secrets } from './masked-secrets';

interface RequestLine {
  method: string;
  path: string;
}
type Expected<T> = RequestLine & { answer: z.ZodType<T> };

/** One answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  reason: string;
  text: string;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** What there is of it: 401 and 595 have an empty body, some 500 plain text, and other servers their own. */
const ErrorBody = z.object({
  message: z.string().optional().catch(undefined),
  errors: z.record(z.string(), z.unknown().transform(asText)).catch({}).default({}),
});

/** Words of other servers for the same: a list, or a name of their own. */
const words = z.string().optional().catch(undefined);
const OtherWords = z.object({
  error: words,
  detail: words,
  errors: z.array(z.unknown().transform(asText)).catch([]).default([]),
});

const BY_STATUS: Record<number, PveErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'denied',
  // real Proxmox has no 404: who answers so has no such path, or no such thing behind it
  404: 'not-found',
  // nor 405: it knows no such method there
  405: 'not-implemented',
  501: 'not-implemented',
};

/** The error that an answer of 400 or more stands for. What Proxmox repeats of our secrets is masked in it. */
export function errorOf(
  { method, path }: RequestLine,
  answer: WireAnswer,
  secrets: Pick<Secrets, 'masked'>,
): PveError {
  const body = jsonOf(answer.text);
  const { message, errors } = ErrorBody.safeParse(body).data ?? { errors: {} };
  const beside = wordsBeside(body, answer, secrets);
  // old servers give the text only in the reason phrase (PVE before 8.4: {"data":null})
  const text = message?.trim() || withReason(answer, beside);
  const parameters = Object.entries(errors).map(([name, why]) => [name, secrets.masked(why)] as const);
  return new PveError(kindOf({ method, path }, answer, [text, beside, ...Object.values(errors)]), {
    method,
    path,
    status: answer.status,
    text: secrets.masked(text),
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
  });
}

/**
 * What every cluster and every node has, but for the caller's privileges, which decide what an empty list proves: a 404 says that the server has no such request, not that something is gone.
 */
const EVERYWHERE = /^\/(?:version|cluster\/\w+|nodes\/[^/]+\/(?:network|storage|tasks|qemu))(?:\?|$)/;

/**
 * Proxmox never answers so (behaviour.md §1): one that stands before it says that it got no answer, or asked for none.
 * 520 to 530 are Cloudflare's own. A fault that a read gets as a page passes too; of a write, one that stands before may
 * show its own page in place of what Proxmox says.
 */
function isOfAProxy(method: string, answer: WireAnswer): boolean {
  const { status } = answer;
  const isFault = method === 'GET' && status >= 500 && status !== 501 && isPage(answer);
  return [408, 429, 502, 503, 504].includes(status) || (status >= 520 && status <= 530) || isFault;
}

/** The errors of Proxmox are JSON, plain text or empty (behaviour.md §1). */
function isPage({ text }: WireAnswer): boolean {
  return text.trimStart().startsWith('<');
}

/** The reason phrase of an answer, and that it came with a page where it did. */
export function reasonOf(answer: WireAnswer): string {
  return isPage(answer) ? `${answer.reason} (a page of what stands before Proxmox)` : answer.reason;
}

/** So much is shown of what another server says: it may be the trace of an error. */
const MOST_SAID = 300;

/** What an answer says that has no message: plain text, or words of another server. */
function wordsBeside(body: unknown, answer: WireAnswer, secrets: Pick<Secrets, 'masked'>): string {
  if (isPage(answer)) return '';
  const { error, detail, errors = [] } = OtherWords.safeParse(body).data ?? {};
  const said = body === undefined ? [answer.text] : [error, detail, ...errors];
  // cut after that: half a secret is not known for one
  return secrets.masked(said.flatMap(each => each?.trim() || []).join('; ')).slice(0, MOST_SAID);
}

function withReason(answer: WireAnswer, beside: string): string {
  const reason = reasonOf(answer);
  if (beside === '' || beside.startsWith(reason)) return beside || reason;
  return `${reason}: ${beside}`;
}

function kindOf({ method, path }: RequestLine, answer: WireAnswer, texts: string[]): PveErrorKind {
  const { status } = answer;
  if (status === 404 && EVERYWHERE.test(path)) return 'not-implemented';
  // 595 to 599: the proxy between nodes gave up; the other node may go on (a write of 36 s was seen to finish)
  if (status >= 595 || isOfAProxy(method, answer))
    return method === 'GET' ? 'unreachable' : 'unknown-outcome';
  const special = texts.map(kindOfText).find(kind => kind !== undefined);
  if (special !== undefined) return special;
  // a page names no privilege and no value
  return isPage(answer) && !MEANT_BY_PAGES.includes(status) ? 'unreadable' : (BY_STATUS[status] ?? 'failed');
}

/** What a page means as an answer of Proxmox would. */
const MEANT_BY_PAGES = [401, 404, 501];

/** The value of a JSON text; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `data` of an answer in the shape that we rely on, or an `unreadable` error that names the place. */
export function readAnswer<T>({ answer: shape, method, path }: Expected<T>, answer: WireAnswer): T {
  const unreadable = (why: string): PveError =>
    new PveError('unreadable', { method, path, status: answer.status, text: `unexpected answer (${why})` });
  const told = dataOf(answer);
  if ('why' in told) throw unreadable(told.why);
  const read = shape.safeParse(told.data);
  if (read.success) return read.data;
  if (told.data === undefined) throw unreadable('it holds no data');
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

import * as z from 'zod';
import { kindOfText } from './error-texts';
import { PveError, type PveErrorKind } from './errors';
import type { Secrets } from './secrets';

/** One answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  reason: string;
  text: string;
}

/** What there is of it: 401 and 595 have an empty body, some 500 plain text, and other servers their own. */
const ErrorBody = z.object({
  message: z.string().optional().catch(undefined),
  errors: z.record(z.string(), z.coerce.string()).catch({}).default({}),
});

const BY_STATUS: Record<number, PveErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'denied',
  // real Proxmox has no 404: who answers so has no such path, or no such thing behind it
  404: 'not-found',
  501: 'not-implemented',
};

/** The error that an answer of 400 or more stands for. What Proxmox repeats of our secrets is masked in it. */
export function errorOf(
  { method, path }: { method: string; path: string },
  answer: WireAnswer,
  secrets: Pick<Secrets, 'masked'>,
): PveError {
  const { message, errors } = ErrorBody.safeParse(jsonOf(answer.text)).data ?? { errors: {} };
  // old servers give the text only in the reason phrase (PVE before 8.4: {"data":null})
  const text = message?.trim() || answer.reason;
  const parameters = Object.entries(errors).map(([name, why]) => [name, secrets.masked(why)] as const);
  return new PveError(kindOf({ method, path }, answer.status, text, errors), {
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
const EVERYWHERE = /^\/(?:version|cluster\/\w+|nodes\/[^/]+\/(?:network|storage|tasks))(?:\?|$)/;

function kindOf(
  { method, path }: { method: string; path: string },
  status: number,
  text: string,
  errors: Record<string, string>,
): PveErrorKind {
  if (status === 404 && EVERYWHERE.test(path)) return 'not-implemented';
  // 595 to 599: the proxy between nodes gave up; the other node may go on (a write of 36 s was seen to finish)
  if (status >= 595) return method === 'GET' ? 'unreachable' : 'unknown-outcome';
  const texts = [text, ...Object.values(errors)];
  const special = texts.map(kindOfText).find(kind => kind !== undefined);
  return special ?? BY_STATUS[status] ?? 'failed';
}

/** The value of a JSON text; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

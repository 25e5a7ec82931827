import { kindOfText } from './error-texts';
import type { PveErrorKind } from './errors';
import { PveError } from './errors';

/** One answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  reason: string;
  text: string;
}

interface ErrorBody {
  message?: string;
  errors?: Record<string, string>;
}

const BY_STATUS: Record<number, PveErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'denied',
  // real Proxmox has no 404: who answers so has no such path, or no such thing behind it
  404: 'not-found',
  501: 'not-implemented',
};

/** The error that an answer of 400 or more stands for. `write`: the request may have changed something. */
export function errorOf(request: { method: string; path: string }, answer: WireAnswer): PveError {
  const { message, errors } = errorBody(answer.text);
  // old servers give the text only in the reason phrase (PVE before 8.4: {"data":null})
  const text = message?.trim() || answer.reason;
  const facts = { ...request, status: answer.status, text, ...(errors ? { parameters: errors } : {}) };
  return new PveError(kindOf(request.method, answer.status, text, errors), facts);
}

function kindOf(method: string, status: number, text: string, errors?: Record<string, string>): PveErrorKind {
  // 595 to 599: the proxy between nodes gave up; the other node may go on (a write of 36 s was seen to finish)
  if (status >= 595) return method === 'GET' ? 'unreachable' : 'unknown-outcome';
  const texts = [text, ...Object.values(errors ?? {})];
  const special = texts.map(kindOfText).find(kind => kind !== undefined);
  return special ?? BY_STATUS[status] ?? 'failed';
}

function errorBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : {};
  } catch {
    // 401 and 595 have an empty body, some 500 plain text
    return {};
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null;
}

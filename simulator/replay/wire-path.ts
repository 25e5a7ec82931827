import { encode } from './request';
import type { Step } from './step';

const API = '/api2/json';

/** The path of a step as a server reads it: `..` and escapes change nothing. Undefined: it leads out of the API. */
export function wirePath(step: Step): string | undefined {
  const { pathname } = new URL(`${API}${encode({ ...step, params: {}, query: {} }).path}`, 'https://host');
  if (pathname !== API && !pathname.startsWith(`${API}/`)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(API.length)).replace(/\/{2,}/g, '/');
  } catch {
    return undefined;
  }
}

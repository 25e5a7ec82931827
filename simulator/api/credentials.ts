import type { Head } from '../wire/head';
import { unescapePercent } from '../wire/percent';

const COOKIE = /(?:^|\s)PVEAuthCookie(?:=|\s)([^;]*)/;
const TOKEN = /(?:^|\s)PVEAPIToken(?:=|\s)([^;]*)/;

function find(pattern: RegExp, header: string | undefined): string | undefined {
  const value = header === undefined ? undefined : pattern.exec(header)?.[1];
  return value === undefined || value === '' ? undefined : unescapePercent(value);
}

/** The ticket or token that a request carries. A ticket wins over a token; both may stand in Authorization. */
export function credentialsOf({ headers }: Head): {
  ticket: string | undefined;
  apiToken: string | undefined;
  csrf: string | undefined;
} {
  const authorization = headers.get('authorization');
  const ticket = find(COOKIE, headers.get('cookie')) ?? find(COOKIE, authorization);
  const apiToken = ticket === undefined ? find(TOKEN, authorization) : undefined;
  return { ticket, apiToken, csrf: headers.get('csrfpreventiontoken') };
}

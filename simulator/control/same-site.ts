import type { Head } from '../wire/head';

/** Why a request comes from a page of another site, and so is refused; undefined where it does not. */
export function foreignSite({ headers }: Pick<Head, 'headers'>): string | undefined {
  const site = headers.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return `a page of another site asks for this (Sec-Fetch-Site: ${site})`;
  const origin = headers.get('origin');
  const host = headers.get('host');
  if (origin === undefined || host === undefined) return undefined;
  return hostOf(origin) === host.toLowerCase()
    ? undefined
    : `a page of another site asks for this (Origin: ${origin})`;
}

/** The host of an origin; empty for `null` and for what is none. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}

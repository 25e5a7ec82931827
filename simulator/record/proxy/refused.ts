import type { IncomingMessage, ServerResponse } from 'node:http';
import { isKnownHost } from '../../control/known-host';
import { foreignSite } from '../../control/same-site';

/** Refuses what a page of another site sends: the proxy is for programs and people of this machine. */
export function refused({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const why = isKnownHost(headers.host, [])
    ? foreignSite({ headers: new Map(given) })
    : 'the name in Host is not of this machine';
  if (why === undefined) return false;
  response.writeHead(403, 'refused by the proxy', { 'content-type': 'text/plain', connection: 'close' });
  response.end(`Nothing was handed on: ${why}. Use the url that the proxy printed.\n`);
  return true;
}

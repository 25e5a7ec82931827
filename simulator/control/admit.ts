import type { Admitted } from '../wire/connection';
import type { Head } from '../wire/head';
import type { Reply } from '../wire/reply';
import { jsonReply } from '../wire/reply';
import type { Site } from './site';
import { PAGE } from './page';
import { isKnownHost } from './known-host';
import { CONTROL } from './routes';

/** Serves /_sim: what tests and people use to look behind the cluster. It asks for no login. */
export function admitControl(site: Site, head: Head, path: string): Admitted | Reply {
  if (!isKnownHost(head.headers.get('host'), site.allowedHosts))
    return refuse(421, 'this name is not known here: use an address, or start with --allowed-host NAME');
  const below = path.replace(/^\/_sim/, '').replace(/\/$/, '');
  if (below === '' && head.method === 'GET')
    return { status: 200, reason: 'OK', body: PAGE, type: 'text/html;charset=UTF-8' };
  // of text, so that curl can write it into a file; who asks has no certificate to trust yet, and reads the fingerprint elsewhere
  if (below === '/ca' && head.method === 'GET')
    return { status: 200, reason: 'OK', body: site.sim.authority, type: 'application/x-pem-file' };
  const numbered = /^(.*)\/(\d+)$/.exec(below);
  const pattern = numbered ? `${numbered[1] ?? ''}/{id}` : below;
  const route = CONTROL[`${head.method} ${pattern}`];
  if (!route) return refuse(404, `there is no ${head.method} /_sim${below}`);
  const length = Number(head.headers.get('content-length') ?? 0) || 0;
  return {
    length,
    answer: async body => {
      try {
        const order = { body: parse(body), id: Number(numbered?.[2] ?? 0) };
        return jsonReply(200, 'OK', `${JSON.stringify(await route(site, order))}\n`);
      } catch (error) {
        return refuse(400, error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Error(`the body is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

const REASONS: Readonly<Record<number, string>> = { 404: 'Not Found', 421: 'Misdirected Request' };

function refuse(status: number, error: string): Reply {
  return jsonReply(status, REASONS[status] ?? 'Bad Request', `${JSON.stringify({ error })}\n`);
}

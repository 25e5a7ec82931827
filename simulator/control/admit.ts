import type { Admitted, Streaming } from '../wire/connection';
import type { Head } from '../wire/head';
import type { Reply } from '../wire/reply';
import { jsonReply } from '../wire/reply';
import { isKnownHost } from './known-host';
import { MOST_READERS } from './live/readers';
import { PAGE_FILES } from './page/files';
import { CONTROL, PlainText } from './routes';
import { foreignSite } from './same-site';
import type { Site } from './site';

/** Serves /_sim: what tests and people use to look behind the cluster. It asks for no login. */
export function admitControl(site: Site, head: Head, path: string, query: string): Admitted | Reply {
  const below = path.replace(/^\/_sim/, '').replace(/\/$/, '');
  // of text, so that curl can write it into a file; who asks has no certificate to trust yet, and reads the fingerprint elsewhere
  if (below === '/ca' && head.method === 'GET')
    return { status: 200, reason: 'OK', body: site.sim.authority, type: 'application/x-pem-file' };
  // these two tell no secret, and a container is asked under whatever name its host has
  if (below === '/health' && head.method === 'GET') return admitRoute(site, head, below, query);
  if (!isKnownHost(head.headers.get('host'), site.allowedHosts))
    return refuse(421, 'this name is not known here: use an address, or start with --allowed-host NAME');
  const file = head.method === 'GET' ? PAGE_FILES[below] : undefined;
  // a link from another site may lead here; it shows nothing to that site and changes nothing
  if (file && below === '') return file;
  const foreign = foreignSite(head);
  if (foreign !== undefined)
    return refuse(403, `${foreign}: nothing was done; open ${path} itself, or use curl`);
  if (file) return file;
  if (`${head.method} ${below}` === 'GET /events') return follow(site);
  return admitRoute(site, head, below, query);
}

function admitRoute(site: Site, head: Head, below: string, query: string): Admitted | Reply {
  const numbered = /^(.*)\/(\d+)$/.exec(below);
  const pattern = numbered ? `${numbered[1] ?? ''}/{id}` : below;
  const route = CONTROL[`${head.method} ${pattern}`];
  if (!route) return refuse(404, `there is no ${head.method} /_sim${below}`);
  const length = Number(head.headers.get('content-length') ?? 0) || 0;
  return {
    length,
    answer: async body => {
      try {
        const order = {
          body: parse(body),
          id: Number(numbered?.[2] ?? 0),
          query: new URLSearchParams(query),
        };
        const answer = await route(site, order);
        if (head.method !== 'GET') site.readers.changed();
        if (answer instanceof PlainText)
          return { status: 200, reason: 'OK', body: answer.text, type: 'text/plain;charset=UTF-8' };
        return jsonReply(200, 'OK', `${JSON.stringify(answer)}\n`);
      } catch (error) {
        return refuse(400, error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** Server-sent events, for as long as the reader stays. */
function follow({ readers }: Site): Admitted {
  const answer = (): Streaming | Reply =>
    readers.isFull()
      ? refuse(503, `${MOST_READERS} pages follow already: close one of them; this one tries again by itself`)
      : { stream: { type: 'text/event-stream;charset=UTF-8', begin: socket => readers.begin(socket) } };
  return { length: 0, answer };
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Error(`the body is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  421: 'Misdirected Request',
  503: 'Service Unavailable',
};

function refuse(status: number, error: string): Reply {
  return jsonReply(status, REASONS[status] ?? 'Bad Request', `${JSON.stringify({ error })}\n`);
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { Agent } from 'node:https';
import { shown } from '../shown';
import { whyNot } from '../server/reader';
import type { Exchange } from './exchange';

const MOST_BODY = 4 * 1024 ** 2;
const MOST_ANSWER = 8 * 1024 ** 2;
const API = '/api2/json';

export interface Way {
  server: URL;
  agent: Agent;
  /** Is told of each request that was answered, in the order in which they came. */
  keep: (exchange: Exchange) => void;
  warn: (text: string) => void;
}

/** Hands one request on to the server and its answer back, byte for byte, and remembers both. */
export function handOn(
  { server, agent, keep, warn }: Way,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const body = new Kept(MOST_BODY);
  const answer = new Kept(MOST_ANSWER);
  const headers = { ...withoutHops(incoming.headers), host: server.host };
  const url = incoming.url ?? '/';
  const outgoing = request(
    { agent, host: server.hostname, method: incoming.method, path: url, headers },
    from => {
      response.writeHead(from.statusCode ?? 502, from.statusMessage, withoutHops(from.headers));
      from.on('data', (chunk: Buffer) => answer.add(chunk));
      from.on('end', () => {
        const exchange = exchangeOf(incoming, from, {
          body: body.text('latin1'),
          answer: answer.text('utf8'),
        });
        if (exchange) keep(exchange);
      });
      from.on('error', () => response.destroy());
      from.pipe(response);
    },
  );
  outgoing.on('error', error => {
    warn(
      `${shown(`${incoming.method ?? ''} ${url.split('?')[0] ?? ''}`)}: ${server.host} did not answer: ${shown(whyNot(error))}`,
    );
    if (response.headersSent) response.destroy();
    else response.writeHead(502, 'no answer from the cluster').end();
  });
  response.on('close', () => {
    if (!response.writableEnded) outgoing.destroy();
  });
  incoming.on('data', (chunk: Buffer) => body.add(chunk));
  incoming.pipe(outgoing);
}

/** Bytes that pass by, up to a size. */
class Kept {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly most: number) {}

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size <= this.most) this.chunks.push(chunk);
    else this.chunks.length = 0;
  }

  text(encoding: 'latin1' | 'utf8'): string | undefined {
    return this.size > this.most ? undefined : Buffer.concat(this.chunks).toString(encoding);
  }
}

function exchangeOf(
  { method = 'GET', url = '', headers }: IncomingMessage,
  { statusCode = 0, statusMessage = '' }: IncomingMessage,
  texts: Pick<Exchange, 'body' | 'answer'>,
): Exchange | undefined {
  const [raw = '', query = ''] = url.split(/\?(.*)/s);
  if (!raw.startsWith(`${API}/`)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(raw.slice(API.length));
  } catch {
    return undefined;
  }
  return {
    method,
    path,
    query,
    headers: { ...headers },
    status: statusCode,
    reason: statusMessage,
    ...texts,
  };
}

const HOPS = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
];

function withoutHops(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOPS.includes(name) ? [] : [[name, value]],
    ),
  );
}

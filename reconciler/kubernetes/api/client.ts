import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isRecord } from '../../../spec';
import { ApiError } from './api-error';
import type { KubernetesAccess } from './way';

export type Json = Readonly<Record<string, unknown>>;

/** What a request sends beside its path. */
export interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  body?: Json;
  signal?: AbortSignal;
  /** Without an answer for so long it is given up. */
  timeoutMs?: number;
}

/** What a request works with whose answer goes on. */
interface Watched {
  signal: AbortSignal;
  /** Without a line for so long it is given up. */
  silentMs: number;
  /** The answer has begun. */
  opened: () => void;
}

const TIMEOUT_MS = 30_000;
/** A list of 500 resources has less than a tenth of it. */
const MOST_BYTES = 256 * 2 ** 20;

/** Asks an API server. Sends JSON as it is given, and gives what comes back as it came. */
export class KubernetesClient {
  private readonly agent: http.Agent;

  /** `beforeWrite`: called before each write. Where it throws, nothing is sent. */
  constructor(
    private readonly access: KubernetesAccess,
    private readonly beforeWrite: () => void = () => undefined,
  ) {
    const { server, ca, cert, key } = access;
    const tls = { ca, cert, key, keepAlive: true, maxSockets: 64 };
    this.agent = server.startsWith('https:') ? new https.Agent(tls) : new http.Agent({ keepAlive: true });
  }

  /** The answer of a request. Throws `ApiError`. */
  async json(path: string, sent: Sent = {}): Promise<Json> {
    if (sent.method !== undefined && sent.method !== 'GET') this.needLeave(path, sent);
    const response = await this.open(path, sent);
    const text = await textOf(response, nameOf(path, sent));
    const json = parsed(text);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300 && isRecord(json)) return json;
    throw errorOf(response, json, nameOf(path, sent));
  }

  /** The lines of an answer that goes on, each a JSON. Ends when the server ends it; throws where it breaks. */
  async *lines(path: string, { signal, silentMs, opened }: Watched): AsyncGenerator<Json> {
    const response = await this.open(path, { signal, timeoutMs: silentMs });
    const status = response.statusCode ?? 0;
    if (status !== 200) {
      const name = nameOf(path, {});
      throw errorOf(response, parsed(await textOf(response, name)), name);
    }
    opened();
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const chunk of response) {
        const parts = (rest + String(chunk)).split('\n');
        rest = parts.pop() ?? '';
        if (rest.length > MOST_BYTES) throw new ApiError(0, 'an event is too large', nameOf(path, {}));
        for (const part of parts) {
          const json = parsed(part);
          if (isRecord(json)) yield json;
        }
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw noAnswer(error, nameOf(path, {}));
    } finally {
      response.destroy();
    }
  }

  /** As any other failure of a write: who asks for it goes on from that. */
  private needLeave(path: string, sent: Sent): void {
    try {
      this.beforeWrite();
    } catch (error) {
      throw noAnswer(error, nameOf(path, sent));
    }
  }

  close(): void {
    this.agent.destroy();
  }

  /** Throws `ApiError`, also where nothing can be sent, such as without the file of the token. */
  private async open(path: string, sent: Sent): Promise<IncomingMessage> {
    try {
      return await this.send(path, sent);
    } catch (error) {
      throw error instanceof ApiError ? error : noAnswer(error, nameOf(path, sent));
    }
  }

  private send(path: string, sent: Sent): Promise<IncomingMessage> {
    const { method = 'GET', body, signal, timeoutMs = TIMEOUT_MS } = sent;
    const { server } = this.access;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      accept: 'application/json',
      'user-agent': 'pve-reconciler',
      ...this.authorization(),
      ...(text !== undefined && {
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    };
    const { request } = server.startsWith('https:') ? https : http;
    return new Promise((resolve, reject) => {
      const asked = request(server + path, { method, headers, agent: this.agent, ...(signal && { signal }) });
      // of the socket: it also counts for an answer that goes on
      asked.setTimeout(timeoutMs, () => asked.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      asked.once('error', reject);
      asked.once('response', resolve);
      asked.end(text);
    });
  }

  private authorization(): Record<string, string> {
    const token = this.access.token();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }
}

function nameOf(path: string, { method = 'GET' }: Sent): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}

function noAnswer(error: unknown, name: string): ApiError {
  return new ApiError(0, error instanceof Error ? error.message : String(error), name);
}

async function textOf(response: IncomingMessage, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > MOST_BYTES) throw new ApiError(0, `the answer is larger than ${MOST_BYTES} bytes`, name);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : noAnswer(error, name);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf(response: IncomingMessage, json: unknown, name: string): ApiError {
  const said =
    isRecord(json) && typeof json['message'] === 'string' ? json['message'] : 'no reason was given';
  const seconds = Number(response.headers['retry-after']);
  return new ApiError(
    response.statusCode ?? 0,
    said,
    name,
    Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  );
}

import type { Dispatcher } from 'undici';
import type { WireAnswer } from './classify';
import type { PveConfig } from './config';
import { tlsConnector } from './tls';
import { unsent } from './transport-texts';

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api2/json, percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/**
 * A request that brought no answer. `sent`: it may have arrived, so a write may have been done. `untrusted`: who
 * answers is not who was expected, and will not be when asked again.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    message: string,
    readonly sent: boolean,
    options: { cause: unknown },
    readonly untrusted = false,
  ) {
    super(message, options);
  }
}

/** Sends requests to one endpoint. Never repeats one. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

export function openTransport(endpoint: string, config: PveConfig): Transport {
  let pool: Promise<Dispatcher> | undefined;
  return {
    send: async request => {
      pool ??= openPool(endpoint, config);
      try {
        return await exchange(await pool, request);
      } catch (error) {
        throw transportError(endpoint, error);
      }
    },
    close: async () => {
      if (pool) await (await pool).close();
    },
  };
}

async function exchange(
  pool: Dispatcher,
  { method, path, headers, body, signal }: WireRequest,
): Promise<WireAnswer> {
  const answer = await pool.request({
    method,
    path: `/api2/json${path}`,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
  const text = await answer.body.text();
  // Proxmox writes UTF-8 into the reason phrase, HTTP hands it over as Latin-1
  return { status: answer.statusCode, reason: Buffer.from(answer.statusText, 'latin1').toString(), text };
}

async function openPool(endpoint: string, config: PveConfig): Promise<Dispatcher> {
  // loaded here, not at the top: a run that fails on its configuration never pays for it
  const { Pool, buildConnector } = await import('undici');
  return new Pool(endpoint, {
    connections: config.maxRequests,
    pipelining: 1,
    // Proxmox closes idle connections after 5 s
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: config.requestTimeoutMs,
    bodyTimeout: config.requestTimeoutMs,
    connect: tlsConnector(config.tls, buildConnector),
  });
}

function transportError(endpoint: string, error: unknown): TransportError {
  const { code, message } = codeAndMessage(error);
  const known = unsent(code, message);
  const text = `${endpoint}: ${known?.text ?? message}`;
  return new TransportError(text, known === undefined, { cause: error }, known?.untrusted);
}

function codeAndMessage(error: unknown): { code: string; message: string } {
  const fields: { code?: unknown; message?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  const code = typeof fields.code === 'string' ? fields.code : '';
  const message = typeof fields.message === 'string' ? fields.message : '';
  return { code, message: message || code || 'no answer' };
}

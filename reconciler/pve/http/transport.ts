import { Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import { decodedBody, mostBytes, readBody } from './body';
import type { WireAnswer } from '../answers/read-answer';
import type { PveConfig } from './pve-config';
import type { StreamedBody } from './form';
import { tlsConnector } from './tls-connector';
import { brokenOff, CodedError, unsent, type Failure } from './transport-texts';

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api2/json, percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | StreamedBody;
  signal?: AbortSignal;
  /** How long it may take; absent: the time limit of any request. */
  timeoutMs?: number;
  /** It is not sent again when no answer comes. */
  once?: boolean;
  /** The moment by which the whole answer must be there; absent: the time limit from now on. */
  until?: number;
}

/**
 * A request that brought no answer. `sent`: it may have arrived, so a write may have been done. `why`: whether
 * somebody answered who is not to be trusted, or in a way that cannot be read; then asking again cannot help.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    message: string,
    readonly sent: boolean,
    readonly why: Failure['why'],
    options: { cause: unknown },
    /** Nothing listens at any address that was tried. */
    readonly isRefused = false,
  ) {
    super(message, options);
  }
}

/** Told of each request as it is sent, repetitions too. */
type Sent = (request: Pick<WireRequest, 'method' | 'path'>) => void;

/** Who is asked before something is sent. */
export interface BeforeSent {
  sent?: Sent | undefined;
  /** Called directly before each write leaves, and when a connection is open. Where it throws, nothing is sent. */
  beforeWrite?: (() => void) | undefined;
}

/** Sends requests to one endpoint. Never repeats one: client.ts does, where that is safe. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

export function openTransport(
  endpoint: string,
  config: PveConfig,
  { sent, beforeWrite }: BeforeSent = {},
): Transport {
  let pool: Promise<Dispatcher> | undefined;
  return {
    send: async request => {
      if (request.method !== 'GET') beforeWrite?.();
      sent?.(request);
      pool ??= openPool(endpoint, config, beforeWrite);
      const leftMs = (request.until ?? Infinity) - performance.now();
      const limit = new RequestLimit(
        Math.max(1, Math.min(leftMs, request.timeoutMs ?? config.requestTimeoutMs)),
        request.signal,
      );
      try {
        return await sendOn(await pool, request, limit.signal);
      } catch (error) {
        if (error instanceof ForbiddenError) throw error.cause;
        throw transportError(endpoint, limit.isOver ? late(config) : error);
      } finally {
        limit.end();
      }
    },
    // at the end of a run nobody waits for an answer any more
    close: async () => {
      if (pool) await (await pool).destroy();
    },
  };
}

/** Ends a request when its time is up or the run is interrupted, whatever of the answer has come so far. */
class RequestLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stop = (): void => this.controller.abort(this.outer?.reason);
  isOver = false;

  constructor(
    ms: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.controller.abort();
    }, ms);
    if (outer?.aborted) this.stop();
    outer?.addEventListener('abort', this.stop);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.stop);
  }
}

async function sendOn(
  pool: Dispatcher,
  { method, path, headers, body, timeoutMs }: WireRequest,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const answer = await pool.request({
    method,
    path: `/api2/json${path}`,
    headers: { 'accept-encoding': 'identity', ...headers },
    signal,
    ...(body === undefined ? {} : { body: sendable(body, signal) }),
    ...(timeoutMs === undefined ? {} : { headersTimeout: timeoutMs }),
  });
  const status = answer.statusCode;
  const plain = decodedBody(answer.body, answer.headers['content-encoding']);
  // undici: a body that nobody reads keeps its connection
  const bytes = await readBody(plain ?? answer.body, { path, status });
  if (plain === undefined) throw new CodedError('ERR_BODY_CODED', 'an unknown encoding');
  if (bytes === undefined) throw new CodedError('ERR_BODY_SIZE', `more than ${mostBytes(path)} bytes`);
  // Proxmox writes UTF-8 into the reason phrase, HTTP hands it over as Latin-1
  return { status, reason: Buffer.from(answer.statusText, 'latin1').toString(), text: textOf(bytes, status) };
}

function sendable(body: string | Buffer | StreamedBody, signal: AbortSignal): string | Buffer | Readable {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body.open(signal));
}

function textOf(bytes: Buffer, status: number): string {
  if (status >= 400) return bytes.toString('utf8');
  try {
    // a name of which a part is lost is not the name
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CodedError('ERR_BODY_TEXT', 'no UTF-8');
  }
}

function late({ requestTimeoutMs }: PveConfig): CodedError {
  return new CodedError('ERR_LATE', `no whole answer came within ${requestTimeoutMs / 1000} s`);
}

/** A body that stands still for so long does not go on: Proxmox sends its answers in one piece. */
const IDLE_MS = 15_000;
const CONNECT_MS = 10_000;

/** The connection is open, and nothing may be sent any more. */
class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
}

async function openPool(
  endpoint: string,
  config: PveConfig,
  beforeWrite: BeforeSent['beforeWrite'],
): Promise<Dispatcher> {
  // loaded here, not at the top: a run that fails on its configuration never pays for it
  const { Pool, buildConnector } = await import('undici');
  const { maxRequests, requestTimeoutMs, tls } = config;
  return new Pool(endpoint, {
    connections: maxRequests,
    pipelining: 1,
    // Proxmox closes idle connections after 5 s
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: Math.min(IDLE_MS, requestTimeoutMs),
    connect: asking(beforeWrite, tlsConnector(tls, Math.min(CONNECT_MS, requestTimeoutMs), buildConnector)),
  });
}

/** Opening a connection takes its time: what waits for it may be sent no more. */
function asking(
  beforeWrite: BeforeSent['beforeWrite'],
  open: buildConnector.connector,
): buildConnector.connector {
  if (beforeWrite === undefined) return open;
  return (options, callback) =>
    open(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error) return callback(...outcome);
      try {
        beforeWrite();
      } catch (cause) {
        socket.destroy();
        return callback(new ForbiddenError('it was forbidden', { cause }), null);
      }
      callback(...outcome);
    });
}

function transportError(endpoint: string, error: unknown): TransportError {
  const { code, message } = codeAndMessage(error);
  const early = unsent(code, message);
  const { text, why } = early ?? brokenOff(code, message);
  const isRefused = code === 'ECONNREFUSED';
  return new TransportError(`${endpoint}: ${text}`, early === undefined, why, { cause: error }, isRefused);
}

function codeAndMessage(error: unknown): { code: string; message: string } {
  const fields: { code?: unknown; message?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  // undici's parser fails without a code of its own
  const unnamed = error instanceof Error && error.name === 'HTTPParserError' ? 'HPE' : '';
  const code = typeof fields.code === 'string' ? fields.code : unnamed;
  const message = typeof fields.message === 'string' ? fields.message : '';
  return { code, message: message || code || 'no answer' };
}

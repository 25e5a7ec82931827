import type * as z from 'zod';
import { errorOf, type WireAnswer, readAnswer } from '../answers/read-answer';
import { repeatedly } from './repeat';
import type { PveConfig } from './pve-config';
import { readClusterIdentity, type ClusterIdentity } from './cluster-identity';
import { EndpointPool } from './endpoints';
import { Outage } from './outage';
import { PveError } from '../answers/errors';
import { multipartForm, type FileToSend, type PveParams } from './form';
import { pveText } from '../keys/property-string';
import { keyRow } from '../keys/key-row';
import { named, sessionFor, type Session } from './session';
import { Limit } from './limit';
import { Secrets } from '../answers/masked-secrets';
import { TransportError, type BeforeSent, type Transport, type WireRequest } from './transport';

/** One request and the shape of its answer. */
export interface PveRequest<T> {
  method: WireRequest['method'];
  /** Below /api2/json; placeholders already percent-encoded. */
  path: string;
  params?: PveParams;
  /** A file that goes along, behind the parameters. */
  file?: FileToSend;
  /** How long it may take in all; absent: as long as any request. */
  timeoutMs?: number;
  /** A read that is not sent again when no answer comes. */
  once?: boolean;
  /** Whether a refused connection is waited for. Absent: for a read, and for a write with the digest of a reading. */
  waits?: boolean;
  /** The shape of `data` that we rely on. */
  answer: z.ZodType<T>;
  /** Ends a read at once. A write that has not left is not sent any more; one that has is waited for. */
  signal?: AbortSignal;
}

/** A connection to one cluster. */
export interface Pve {
  /**
   * Sends one request. A GET that brings no answer, or only one of a proxy, is repeated. A write is sent again only where
   * Proxmox certainly did not take it: its connection was refused, or its ticket had run out (401).
   */
  call<T>(request: PveRequest<T>): Promise<T>;
  readonly config: PveConfig;
  /** The address that answered last. Another one may next time: it belongs into nothing that is to stay the same. */
  answering(): string;
  /** The same connection for one run: this signal stands in all its requests. */
  until(signal: AbortSignal): Pve;
  /** The endpoint is known to be right: a refused connection is waited for from the first request on. */
  trust(): void;
  /** Tells of each wait for an endpoint that refuses connections, until what comes back is called. */
  tellWaits(tell: (text: string) => void, signal: AbortSignal): () => void;
  /** What Proxmox said, without any secret that was sent to it. */
  masked(text: string): string;
  close(): Promise<void>;
}

/** Told of each request that was sent: its answer's status; undefined: none came. Must not throw. */
export type Answered = (request: { method: string; path: string; status: number | undefined }) => void;

/** What a connection is watched by. */
export interface Watch extends BeforeSent {
  answered?: Answered | undefined;
}

/** Opens a connection. Nothing is sent before the first call. */
export function connect(config: PveConfig, watch: Watch = {}): Pve {
  const secrets = new Secrets();
  const session = sessionFor(config.credentials, secrets);
  const endpoints = endpointsOf(config, session, watch);
  const limit = new Limit(config.maxRequests);
  const outage = new Outage(config);

  const once = (request: WireRequest): Promise<WireAnswer> =>
    sendOnce(request, { endpoints, session, watch });
  const answerTo = async (request: WireRequest): Promise<WireAnswer> => {
    try {
      const first = await once(request);
      // a 401 did nothing, so that even a write may be sent again with a new ticket
      const answer = first.status === 401 && session.renew() ? await once(request) : first;
      outage.answered();
      if (answer.status >= 400) throw errorOf(request, named(answer, config.credentials), secrets);
      return answer;
    } catch (error) {
      throw error instanceof TransportError ? unanswered(request, error) : error;
    }
  };

  const pve: Pve = {
    config,
    answering: () => endpoints.answering,
    until: signal => ({ ...pve, call: request => pve.call({ signal, ...request }) }),
    trust: outage.answered,
    tellWaits: outage.listen,
    masked: text => secrets.masked(text),
    close: () => endpoints.close(),
    call: async request => {
      secretsIn(request.params).forEach(secret => secrets.add(secret));
      const wire = wireRequest(request);
      const waits = request.once !== true && (request.waits ?? isTrueLater(request));
      const isWaitedFor = (error: unknown): boolean => waits && outage.isOne(error);
      const ask = (): Promise<WireAnswer> => inTime(wire, config, isWaitedFor, answerTo);
      const send = (): Promise<WireAnswer> => limit.use(() => outage.telling(request, ask));
      return readAnswer(request, await (waits ? outage.through(send, request.signal) : send()));
    },
  };
  return pve;
}

/**
 * Whether a request may leave long after what led to it. Where Proxmox compares nothing, somebody may have made the guest
 * his own since it was read: such a write fails at once, and its caller reads again.
 */
function isTrueLater({ method, params = {} }: PveRequest<unknown>): boolean {
  return method === 'GET' || Boolean(params['digest']);
}

/** The time limit counts from here on: waiting for a free connection is nobody's fault. */
function inTime(
  request: WireRequest,
  { requestTimeoutMs }: PveConfig,
  isWaitedFor: (error: unknown) => boolean,
  answerTo: (request: WireRequest) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const timed = { ...request, until: performance.now() + (request.timeoutMs ?? requestTimeoutMs) };
  return request.method === 'GET' && !request.once
    ? repeatedly(timed, isWaitedFor, () => answerTo(timed))
    : answerTo(timed);
}

function sendOnce(
  { signal, ...request }: WireRequest,
  { endpoints, session, watch }: { endpoints: EndpointPool; session: Session; watch: Watch },
): Promise<WireAnswer> {
  return endpoints.send(async transport => {
    const identity = await session.headers(transport, request.method);
    // it waited for a free connection, or a ticket: it may not be wanted any more
    signal?.throwIfAborted();
    const ends = request.method === 'GET' && signal ? { signal } : {};
    const whole = { ...request, ...ends, headers: { ...identity, ...request.headers } };
    let status: number | undefined;
    try {
      const answer = await transport.send(whole);
      status = answer.status;
      return answer;
    } finally {
      watch.answered?.({ method: request.method, path: request.path, status });
    }
  });
}

/** The values of keys that are never shown. */
function secretsIn(params: PveParams = {}): (string | undefined)[] {
  const keys = Object.keys(params).filter(key => keyRow(key)?.secret === true);
  return keys.map(key => params[key]?.toString());
}

function endpointsOf(config: PveConfig, session: Session, watch: BeforeSent): EndpointPool {
  const clusterOf = async (transport: Transport): Promise<ClusterIdentity> => {
    const headers = await session.headers(transport, 'GET');
    return readClusterIdentity((path, signal) =>
      transport.send({ method: 'GET', path, headers, ...(signal && { signal }) }),
    );
  };
  return new EndpointPool(config, clusterOf, watch);
}

function wireRequest({ params = {}, file, answer: _, waits: __, ...rest }: PveRequest<unknown>): WireRequest {
  const { method, path } = rest;
  if (file) return { ...rest, ...multipartForm(params, file) };
  const form = encodeForm(params);
  // Proxmox refuses a body on GET and DELETE (501)
  if (method === 'GET' || method === 'DELETE' || form === '')
    return { ...rest, path: form === '' ? path : `${path}?${form}`, headers: {} };
  return { ...rest, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form };
}

/** Encodes parameters for a query or a form. Every value is escaped whole: Proxmox cuts at a bare `;` or second `=`. */
function encodeForm(params: PveParams): string {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined) continue;
    for (const single of Array.isArray(value) ? value : [value]) form.append(key, pveText(single));
  }
  return form.toString();
}

function unanswered({ method, path, signal }: WireRequest, error: TransportError): unknown {
  if (method === 'GET' && signal?.aborted) return signal.reason;
  const lost = error.why === 'unreachable' && method !== 'GET' && error.sent;
  const kind = lost ? 'unknown-outcome' : error.why;
  return new PveError(kind, { method, path, text: error.message }, { cause: error });
}

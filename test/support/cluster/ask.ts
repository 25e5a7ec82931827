import type { Simulator } from '../../../simulator';
import type { RawAnswer } from '../api/raw-client';
import { sendRaw } from '../api/raw-client';
import { TOKEN } from './start-cluster';

/* eslint-disable @typescript-eslint/no-explicit-any -- tests look into whatever came */
export interface Answered extends RawAnswer {
  /** The body's JSON; undefined where it is none. */
  json: any;
  /** What `data` holds there. */
  data: any;
  errors?: Record<string, string>;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export type Params = Record<string, string | number>;
export type Headers = Record<string, string>;

export interface Asking {
  /** Who asks, and what else is said: root's token unless said otherwise. */
  headers?: Headers;
  /** Sent where the method has them: in the query, or as a form. */
  params?: Params;
  /** Sent as a form, whatever the method. */
  form?: Params;
  json?: unknown;
  /** Sent as it is; its type is among the headers. */
  body?: string | Buffer;
}

/** The header `authorization` of a token. */
export const authorizationOf = ({ id, secret }: { id: string; secret: string }): string =>
  `PVEAPIToken=${id}=${secret}`;

/** The headers with which somebody asks who has logged in by password. */
export async function login(
  cluster: Pick<Simulator, 'url'>,
  { username, password }: { username: string; password: string },
): Promise<Headers> {
  const { data, reason } = await ask(cluster, 'POST', '/access/ticket', {
    headers: {},
    form: { username, password },
  });
  if (!data) throw new Error(`${username} cannot log in: ${reason}`);
  const { ticket, CSRFPreventionToken } = data as Record<string, string>;
  return {
    cookie: `PVEAuthCookie=${encodeURIComponent(ticket ?? '')}`,
    csrfpreventiontoken: CSRFPreventionToken ?? '',
  };
}

/** Asks once, over the wire, and gives the answer as it came. */
export async function ask(
  { url }: Pick<Simulator, 'url'>,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<Answered> {
  const { headers = { authorization: authorizationOf(TOKEN) }, params } = asking;
  const isInBody = method === 'POST' || method === 'PUT';
  const query = params && !isInBody ? `?${encoded(params)}` : '';
  const { type, body } = bodyOf(isInBody && params ? { ...asking, form: params } : asking);
  const answer = await sendRaw(url, {
    method,
    path: (path.startsWith('/_sim') ? path : `/api2/json${path}`) + (query === '?' ? '' : query),
    headers: type === undefined ? headers : { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  const json = parsed(answer.text);
  const { data, errors } = (json ?? {}) as { data?: unknown; errors?: Record<string, string> };
  return { ...answer, json, data, ...(errors ? { errors } : {}) };
}

/** Asks once, and waits for the end of the task that it starts; how that ended, or undefined where there is none. */
export async function askToEnd(
  cluster: Pick<Simulator, 'url' | 'sim'>,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<Answered & { exitstatus: string | undefined }> {
  const answer = await ask(cluster, method, path, asking);
  const { tasks } = cluster.sim;
  if (typeof answer.data !== 'string' || !answer.data.startsWith('UPID:'))
    return { ...answer, exitstatus: undefined };
  await tasks.ended(answer.data);
  return { ...answer, exitstatus: tasks.find(answer.data)?.exitstatus };
}

function bodyOf({ form, json, body }: Asking): { type?: string; body?: string | Buffer } {
  if (body !== undefined) return { body };
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) };
  return form ? { type: 'application/x-www-form-urlencoded', body: encoded(form) } : {};
}

function encoded(params: Params): string {
  const pairs = Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]);
  return new URLSearchParams(pairs).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

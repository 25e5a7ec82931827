/** One request that was handed on, and its answer. It lives in memory only: it holds secrets. */
export interface Exchange {
  method: string;
  /** Below /api2/json, percent-decoded. */
  path: string;
  /** As it came, latin1. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
  /** Latin1; undefined: it was too large to keep. */
  body: string | undefined;
  status: number;
  reason: string;
  /** The text of the answer; undefined: it was too large to keep. */
  answer: string | undefined;
  /** The same was read before, with nothing written since. */
  isRepeated?: boolean;
}

/** Whether the same person read the same. */
export function isSame(one: Exchange, other: Exchange): boolean {
  const login = ({ headers }: Exchange): string =>
    `${String(headers['cookie'])} ${String(headers['authorization'])}`;
  return one.path === other.path && one.query === other.query && login(one) === login(other);
}

/** The data of an answer, where it is one of Proxmox's. */
export function dataOf({ answer }: Exchange): unknown {
  try {
    const json: unknown = JSON.parse(answer ?? '');
    return typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
  } catch {
    return undefined;
  }
}

const TASK = /^\/nodes\/[^/]+\/tasks\/(UPID:[^/]+)\/(status|log)$/;

/** The task that a request asks about, and what it asks. */
export function taskAsked({ method, path }: Exchange): { upid: string; what: string } | undefined {
  const [, upid, what] = (method === 'GET' && TASK.exec(path)) || [];
  return upid === undefined || what === undefined ? undefined : { upid, what };
}

/** A request's first lines, understood. */
export interface Head {
  method: string;
  /** As sent: path and query, percent-encoded. */
  target: string;
  version: string;
  /** By lower-case name; repeated ones joined with a comma. */
  headers: Map<string, string>;
}

/** Why a head cannot be served: an answer for the client, or nothing but a closed connection. */
export type BadHead = { status: number; reason: string } | 'drop';

const MAX_LINES = 64;
const MAX_BYTES = 8 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Where the empty line that ends the head stops; -1 while it has not come, 'drop' when it is too long to wait for. */
export function endOfHead(buffer: Buffer): number | 'drop' {
  let lines = 0;
  for (let start = 0; ;) {
    const end = buffer.indexOf(LINE_FEED, start);
    if (end < 0) return buffer.length > MAX_BYTES * 2 ? 'drop' : -1;
    const length = buffer[end - 1] === CARRIAGE_RETURN ? end - 1 - start : end - start;
    if (length <= 0 && lines > 0) return end + 1;
    // empty lines before a request are ignored
    if (length > 0) lines += 1;
    // the request line does not count, the empty line does
    if (lines > MAX_LINES) return 'drop';
    start = end + 1;
  }
}

/** Understands the bytes up to the end of the head. */
export function parseHead(bytes: Buffer): Head | BadHead {
  const lines = bytes.toString('latin1').split(/\r?\n/);
  while (lines[0] === '') lines.shift();
  const [first = '', ...rest] = lines;
  const match = /(\S+) (\S+) HTTP\/(\d+)\.(\d+)/.exec(first);
  if (!match) return { status: 400, reason: 'bad request' };
  const [, method = '', target = '', major = '', minor = ''] = match;
  if (major !== '1') return { status: 506, reason: `http protocol version ${major}.${minor} not supported` };
  const headers = parseHeaders(rest);
  return headers instanceof Map ? { method, target, version: `HTTP/1.${minor}`, headers } : headers;
}

function parseHeaders(lines: string[]): Map<string, string> | BadHead {
  const headers = new Map<string, string>();
  let last = '';
  let size = 0;
  let count = 0;
  for (const line of lines) {
    count += 1;
    size += line.length;
    if (count >= MAX_LINES || size >= MAX_BYTES) return 'drop';
    if (line === '') break;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (name !== '' && !/\s/.test(name)) {
      const before = headers.get(name);
      const value = line.slice(colon + 1).trim();
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
      last = name;
    } else if (/^\s+/.test(line)) {
      headers.set(last, `${headers.get(last) ?? ''} ${line.trim()}`);
    } else {
      return { status: 506, reason: 'unable to parse request header' };
    }
  }
  return headers;
}

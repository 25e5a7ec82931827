import { gzipSync } from 'node:zlib';

/** One answer, not yet on the wire. */
export interface Reply {
  status: number;
  /** The whole message; the wire carries its first line. */
  reason: string;
  /** Absent: no content, and no Content-Length either. */
  body?: string | Buffer;
  type?: string;
  location?: string;
  /** The name under which a file is to be saved. */
  fileName?: string;
  /** What else the head says. */
  headers?: Readonly<Record<string, string>>;
}

/** What the client accepts, and what stays open afterwards. */
export interface ReplyOptions {
  version: string;
  gzip: boolean;
  keepAlive: boolean;
  now: number;
}

const JSON_TYPE = 'application/json;charset=UTF-8';

/** An answer in plain text with the same text as reason, as the server itself gives it. */
export function plainReply(status: number, text: string): Reply {
  return { status, reason: text, body: text, type: 'text/plain' };
}

export function jsonReply(status: number, reason: string, body: string): Reply {
  return { status, reason, body, type: JSON_TYPE };
}

let dateSecond = -1;
let dateText = '';

function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}

/** The first line, without what could break the head. Wide characters go out as UTF-8 (assumed). */
function reasonPhrase(reason: string): string {
  const [line = ''] = reason.split('\n', 1);

  return line.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, ' ');
}

/** The bytes of an answer. */
export function encodeReply(reply: Reply, { version, gzip, keepAlive, now }: ReplyOptions): Buffer {
  const date = httpDate(now);
  let head = `${version} ${reply.status} ${reasonPhrase(reply.reason)}\r\nCache-Control: max-age=0\r\nConnection: ${keepAlive ? 'Keep-Alive' : 'close'}\r\nDate: ${date}\r\nPragma: no-cache\r\nServer: pve-api-daemon/3.0\r\n`;
  let content = typeof reply.body === 'string' ? Buffer.from(reply.body) : (reply.body ?? Buffer.alloc(0));
  if (gzip && content.length > 1024) {
    content = gzipSync(content, { level: 1 });
    head += 'Content-Encoding: gzip\r\n';
  }
  // PVE: an empty answer has no Content-Length; a connection that stays open needs one, and closes otherwise
  if (content.length > 0 || keepAlive) head += `Content-Length: ${content.length}\r\n`;
  if (reply.type !== undefined) head += `Content-Type: ${reply.type}\r\n`;
  if (reply.fileName !== undefined)
    head += `Content-Disposition: attachment; filename="${reply.fileName}"\r\n`;
  if (reply.location !== undefined) head += `Location: ${reply.location}\r\n`;
  for (const [name, value] of Object.entries(reply.headers ?? {})) head += `${name}: ${value}\r\n`;
  head += `Expires: ${date}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/** The head of an answer that goes on until the connection ends. */
export function streamHead(type: string): string {
  return `HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Type: ${type}\r\nX-Content-Type-Options: nosniff\r\n\r\n`;
}

import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

export interface RawAnswer {
  status: number;
  reason: string;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface RawRequest {
  method: string;
  /** With the query, below the base path, already percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const agent = new Agent({ rejectUnauthorized: false, keepAlive: true, timeout: 4000 });

/** Sends one request to a server and gives its answer as it stands on the wire. Knows nothing of Proxmox's clients. */
export function sendRaw(base: string, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const url = new URL(base + path);
  const secure = url.protocol === 'https:';
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(
      url,
      { method, headers: { ...headers, ...length }, ...(secure ? { agent } : {}) },
      response => {
        readAnswer(response).then(resolve, reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The whole of an answer, as it came. Rejects when it breaks off. */
export function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        reason: response.statusMessage ?? '',
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
      }),
    );
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * An HTTP server on loopback that answers as the test says and remembers what it received. Without an identity it
 * speaks no TLS.
 */
export async function answeringServer(
  answer: (request: Received, response: ServerResponse) => void,
  identity?: { cert: string; key: string },
) {
  const received: Received[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      received.push(seen);
      answer(seen, response);
    });
  };
  const server = identity ? createSecureServer(identity, listener) : createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers as Proxmox does: `{"data": …}`. */
export function answerData(response: ServerResponse, data: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify({ data }));
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubernetesClient } from '../../../reconciler/kubernetes/api/client';

export interface Answer {
  status: number;
  body: object;
}

/** A request, as `PATCH /path?query`, and what it brought. */
export interface Asked {
  line: string;
  body: Record<string, unknown>;
}

/** A server that answers as a test says, with a client of it. */
export async function smallServer(answerTo: (asked: Asked) => Answer) {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(body => {
      const asked = { line: `${request.method} ${request.url}`, body };
      requests.push(asked);
      const answer = answerTo(asked);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubernetesClient({ server: `http://127.0.0.1:${port}`, token: () => 'a' });
  const close = async (): Promise<void> => {
    client.close();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return { requests, client, close };
}

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Asked['body']);
}

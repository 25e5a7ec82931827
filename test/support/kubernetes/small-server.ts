import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubernetesClient } from '../../../reconciler/kubernetes/api/client';

export interface Answer {
  status: number;
  body: object;
}

/** A server that answers as a test says, with a client of it. `asked`: each request as `PATCH /path?query`. */
export async function smallServer(answerTo: (request: string) => Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push(line);
    const { status, body } = answerTo(line);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubernetesClient({ server: `http://127.0.0.1:${port}`, token: () => 'a' });
  const close = async (): Promise<void> => {
    client.close();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return { asked, client, close };
}

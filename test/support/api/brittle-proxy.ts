import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request as ask } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '../../../simulator';

/** Longer than the pauses of the runs in these tests. */
const AWAY_MS = 250;

/**
 * An endpoint before a cluster that keeps no connection open, so that what comes after an answer needs a new one. It
 * refuses connections for a moment once it has given its answer number `after`; `act`: what happens meanwhile.
 */
export async function brittleProxy(
  { url, ca }: Pick<Simulator, 'url' | 'ca'>,
  { after, act }: { after: number; act: () => void },
) {
  const seen: string[] = [];
  const back: Promise<void>[] = [];
  let port = 0;
  let server: Server;
  const open = async (): Promise<void> => {
    server = createServer(pass).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const away = async (): Promise<void> => {
    act();
    await sleep(AWAY_MS);
    await open();
  };
  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path = '', headers } = request;
    const target = ask(new URL(path, url), { method, headers, ca }, answer => {
      seen.push(`${method} ${path.replace('/api2/json', '').replace(/\?.*/, '')}`);
      if (seen.length === after) {
        server.close();
        back.push(away());
      }
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: 'close' });
      answer.pipe(response);
    });
    request.pipe(target);
  }
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    /** What was answered, in its order. */
    seen,
    close: async (): Promise<void> => {
      await Promise.all(back);
      server.closeAllConnections();
      server.close();
    },
  };
}

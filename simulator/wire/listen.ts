import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';
import type { Identity } from './certificate';
import type { Service } from './connection';
import { Connection } from './connection';
import { RedirectService } from './redirect';

export interface Listening {
  port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16;

/** Serves TLS on a port; who speaks plain HTTP there is sent to https. */
export async function listen(
  service: Service,
  identity: Identity,
  host: string,
  port: number,
): Promise<Listening> {
  const context = createSecureContext({ key: identity.key, cert: `${identity.cert}${identity.ca}` });
  const redirect = new RedirectService(service);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(10_000, () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.setTimeout(0);
      socket.unshift(first);
      if (first[0] !== HANDSHAKE) {
        new Connection(socket, redirect);
        socket.resume();
        return;
      }
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context });
      new Connection(secure, service);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: portOf(server),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        sockets.forEach(socket => socket.destroy());
      }),
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A listener before another server that can be closed, so that connections are refused, and opened again. */
export async function openGate(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const open = async (): Promise<void> => {
    server = createServer(socket => {
      const other = connect(Number(target.port), target.hostname);
      for (const each of [socket, other]) {
        sockets.add(each);
        each.on('error', () => undefined).on('close', () => sockets.delete(each));
      }
      socket.pipe(other).pipe(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = (): Promise<void> =>
    new Promise(resolve => {
      if (!server?.listening) return resolve();
      server.close(() => resolve());
      sockets.forEach(socket => socket.destroy());
    });
  await open();
  return { url: `${target.protocol}//127.0.0.1:${port}`, open, close };
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** Keeps a port of a gate that is closed: another test's server would get it, and answer in its place. */
async function holdPort(port: number) {
  const other = createServer(socket => socket.unref())
    .listen(0, HOST)
    .unref();
  await once(other, 'listening');
  const held = connect({
    localAddress: HOST,
    localPort: port,
    host: HOST,
    port: (other.address() as AddressInfo).port,
  });
  await once(held.unref(), 'connect');
  return () => {
    held.destroy();
    other.close();
  };
}

/** A listener before another server that can be closed, so that connections are refused, and opened again. */
export async function openGate(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  let release = (): void => undefined;
  const open = async (): Promise<void> => {
    server = createServer(socket => {
      const other = connect(Number(target.port), target.hostname);
      for (const each of [socket, other]) {
        sockets.add(each);
        each.on('error', () => undefined).on('close', () => sockets.delete(each));
      }
      socket.pipe(other).pipe(socket);
    });
    server.listen(port, HOST);
    await once(server, 'listening');
    release();
    ({ port } = server.address() as AddressInfo);
  };
  const close = async (): Promise<void> => {
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    sockets.forEach(socket => socket.destroy());
    await closed;
    release = await holdPort(port);
  };
  await open();
  return { url: `${target.protocol}//${HOST}:${port}`, open, close };
}

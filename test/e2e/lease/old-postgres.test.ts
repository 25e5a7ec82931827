import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ClusterLocks } from '../../../reconciler/lease/postgres-cluster-locks';
import { PostgresSession } from '../../../reconciler/lease/postgres-session';

/** A message of PostgreSQL's protocol. */
function message(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const READY = message('Z', Buffer.from('I'));

/** A server that lets everybody in, and answers the first question with a version and whether it is a copy. */
async function serverThatSays(version: string, isCopy: 't' | 'f') {
  // 25 is text, 16 is boolean
  const column = (name: string, type: number): Buffer =>
    Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]);
  const value = (of: string): Buffer => Buffer.concat([int32(of.length), Buffer.from(of)]);
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    let hasBegun = false;
    socket
      .on('error', () => undefined)
      .on('data', () => {
        if (!hasBegun) {
          hasBegun = true;
          socket.write(Buffer.concat([message('R', int32(0)), READY]));
          return;
        }
        socket.write(
          Buffer.concat([
            message('T', int16(2), column('version', 25), column('isCopy', 16)),
            message('D', int16(2), value(version), value(isCopy)),
            message('C', text('SELECT 1')),
            READY,
          ]),
        );
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://pve@127.0.0.1:${port}/x`,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

test.each<[version: string, isCopy: 't' | 'f', says: string]>([
  ['13.18', 'f', '--lease: PostgreSQL 13.18 cannot end a session that is silent. Use 14 or newer.'],
  ['15.8', 't', '--lease: this is a copy of another PostgreSQL, and its locks are its own.'],
])('a PostgreSQL %s (a copy: %s) is refused', async (version, isCopy, says) => {
  const server = await serverThatSays(version, isCopy);
  try {
    await expect(new ClusterLocks(new PostgresSession(server.url, 'x')).look(['lab'])).rejects.toThrow(says);
  } finally {
    await server.close();
  }
});

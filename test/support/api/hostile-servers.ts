import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { newIdentity } from '../../../simulator/wire/certificate';

/** Answers one request whose head has come. Ends when the socket does. */
type Answer = (socket: Socket, asked: string) => void;

const MIB = 2 ** 20;

const head = (...lines: string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', ...lines, '', ''].join('\r\n');

const whole = (body: string | Buffer, ...lines: string[]): Answer => {
  const bytes = Buffer.from(body as string);
  return socket =>
    void socket.write(Buffer.concat([Buffer.from(head(`content-length: ${bytes.length}`, ...lines)), bytes]));
};

/** Writes one piece after the other for as long as somebody takes them, with a pause where one is given. */
function pour(socket: Socket, piece: string | Buffer, pauseMs?: number): void {
  const next = (): void => {
    if (socket.destroyed) return;
    const goesOn = socket.write(piece);
    if (pauseMs !== undefined) setTimeout(next, pauseMs).unref();
    else if (goesOn) setImmediate(next);
    else socket.once('drain', next);
  };
  next();
}

const begins =
  (start: string, piece: string | Buffer, pauseMs?: number): Answer =>
  socket => {
    socket.write(start);
    pour(socket, piece, pauseMs);
  };

const rows = (row: string, bytes: number): string =>
  `{"data":[${Array(Math.floor(bytes / row.length))
    .fill(row)
    .join()}]}`;

/** Only the largest list of all; to everything else it says nothing. */
const resources =
  (body: string): Answer =>
  (socket, asked) => {
    if (asked.includes('/cluster/resources')) whole(body)(socket, asked);
  };

/** What a server that speaks TLS answers to each request. */
export const ANSWERS: Record<string, Answer> = {
  'never answers': () => undefined,
  'closes when it is asked': socket => socket.destroy(),
  'a head that trickles': begins('HTTP/1.1 200 OK\r\nx-odd: ', 'a', 50),
  'a head without an end': begins('HTTP/1.1 200 OK\r\n', `x-odd: ${'a'.repeat(1000)}\r\n`),
  'interim answers without an end': begins('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)),
  'a body that trickles': begins(head('content-length: 100000'), ' ', 50),
  'a chunked body that trickles': begins(head('transfer-encoding: chunked'), '1\r\n \r\n', 50),
  'a body that stands still': socket => void socket.write(`${head('content-length: 100')}{"data":`),
  'a body of 1 GB': begins(head(`content-length: ${1024 * MIB}`), Buffer.alloc(MIB, ' ')),
  'a chunked body without an end': begins(
    head('transfer-encoding: chunked'),
    `100000\r\n${' '.repeat(MIB)}\r\n`,
  ),
  'a body until the connection ends, without an end': begins(
    head('connection: close'),
    Buffer.alloc(MIB, '['),
  ),
  'an error without an end': begins(
    'HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n',
    `10000\r\n${'x'.repeat(65536)}\r\n`,
  ),
  redirections: socket =>
    void socket.write('HTTP/1.1 302 Found\r\nlocation: /api2/json/version\r\ncontent-length: 0\r\n\r\n'),
  'a page': whole('<html><body>Sign in</body></html>'),
  nothing: whole(''),
  null: whole('null'),
  'data that is null': whole('{"data":null}'),
  'data that is a number without an end': whole(`{"data":${'9'.repeat(100_000)}}`),
  'a body that is cut off': socket => socket.end(`${head('content-length: 5000')}{"data":[`),
  'a body longer than announced': socket => void socket.write(`${head('content-length: 5')}{"data":[]}`),
  'two lengths': whole('{"data":[]}', 'content-length: 3'),
  'a compressed bomb': whole(gzipSync(Buffer.alloc(100 * MIB)), 'content-encoding: gzip'),
  '50,000 brackets': whole(`{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  '50,000 objects in each other': whole(`{"data":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`),
  'brackets that do not close': whole(`{"data":${'['.repeat(900_000)}`),
  'no UTF-8': whole(Buffer.from('{"data":"\xff\xfe\xc0"}', 'latin1')),
  'millions of empty rows': resources(rows('[]', 15 * MIB)),
  'rows that are all wrong': resources(rows('{"type":"qemu"}', 15 * MIB)),
  'rows that are all right': resources(rows('{"type":"node","node":"a"}', 15 * MIB)),
  'one long name': resources(rows(`{"type":"node","node":"${'ü'.repeat(7 * MIB)}"}`, 20 * MIB)),
  'names of an object’s own': whole('{"__proto__":{"data":[]},"constructor":1,"data":{"__proto__":[]}}'),
  'numbers too large': whole('{"data":[{"type":"qemu","vmid":1e999,"node":"a"}]}'),
  'no HTTP': socket => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'a status that is none': socket => void socket.write('HTTP/1.1 banana\r\n\r\n'),
};

/** What a server does that speaks no TLS. */
export const CONNECTIONS: Record<string, Answer> = {
  'no handshake': () => undefined,
  'closes at once': socket => socket.destroy(),
  'garbage for a handshake': socket => void socket.write(Buffer.alloc(4096, 0xa5)),
  'HTTP without TLS': socket => void socket.write(`${head('content-length: 11')}{"data":[]}`),
};

/** A server on loopback that means no good. */
export async function hostileServer(answer: Answer, identity?: ReturnType<typeof newIdentity>) {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (!identity) return answer(socket, '');
    let asked = '';
    socket.on('data', (bytes: Buffer) => {
      asked += bytes.toString('latin1');
      if (!asked.includes('\r\n\r\n')) return;
      const request = asked;
      asked = '';
      answer(socket, request);
    });
  };
  const server = identity ? createTlsServer(identity, accept) : createServer(accept);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        sockets.forEach(socket => socket.destroy());
      }),
  };
}

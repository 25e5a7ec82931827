import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** One answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  reason: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A bare connection to a server: sends any bytes, reads answer by answer. */
export class RawConnection {
  private buffer = Buffer.alloc(0);
  private wake = (): void => undefined;
  private ended = false;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;

  constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, bytes]);
      this.wake();
    });
    socket.on('error', () => undefined);
    this.closed = new Promise(resolve =>
      socket.on('close', () => {
        this.ended = true;
        this.wake();
        resolve();
      }),
    );
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** The next answer; undefined when the server closes without one. */
  async next(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.take();
      if (answer) return answer;
      if (this.ended) return undefined;
      await new Promise<void>(resolve => (this.wake = resolve));
    }
  }

  /** Everything that came and was not read yet, once the server has closed. */
  async rest(): Promise<string> {
    await this.closed;
    return this.buffer.toString();
  }

  close(): void {
    this.socket.destroy();
  }

  private take(): RawAnswer | undefined {
    const end = this.buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.buffer.toString('utf8', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const rest = this.buffer.subarray(end + 4);
    const announced = headers['content-length'];
    if (announced === undefined ? !this.ended : rest.length < Number(announced)) return undefined;
    const length = announced === undefined ? rest.length : Number(announced);
    this.buffer = rest.subarray(length);
    const [, status = '', reason = ''] = /^HTTP\/1\.\d (\d+) (.*)$/s.exec(first) ?? [];
    return { status: Number(status), reason, headers, body: rest.subarray(0, length) };
  }
}

/** Connects with TLS, trusting only this authority. */
export async function connectSecure(url: string, ca: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return new RawConnection(socket);
}

/** Connects without TLS. */
export async function connectPlain(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return new RawConnection(socket);
}

import type { Duplex } from 'node:stream';
import type { Head } from './head';
import { endOfHead, parseHead } from './head';
import type { Reply } from './reply';
import { encodeReply, plainReply, streamHead } from './reply';

/** What a request gets: an answer, or a connection that breaks before, after or in the middle of one. */
export type Outcome = Reply | { broken: 'silent' } | { broken: 'half'; reply: Reply };

/** An answer without an end: `begin` gets the connection once its head is sent, and has it alone from then on. */
export interface Stream {
  type: string;
  begin(socket: Duplex): void;
}

export interface Streaming {
  stream: Stream;
}

/** A request whose head was accepted: so many bytes of body are still to come, then it can be answered. */
export interface Admitted {
  length: number;
  answer(body: Buffer): Promise<Outcome | Streaming> | Outcome | Streaming;
}

export interface Service {
  now(): number;
  /** Hears of an error that was nobody's but the simulator's. */
  defect(error: unknown): void;
  /** How long a connection may be silent, in real milliseconds: a held clock must not keep a client waiting. */
  readonly idleMs: number;
  /** Judges the head, before any body is read. */
  admit(head: Head): Admitted | Reply;
}

const REQUESTS_PER_CONNECTION = 100;
const EMPTY = Buffer.alloc(0);

/**
 * One connection: one request after another, until somebody closes it. PVE closes it after 5 s without a byte,
 * after 100 requests and after any error.
 */
export class Connection {
  private received: Buffer[] = [];
  private size = 0;
  private requestsLeft = REQUESTS_PER_CONNECTION;
  private head: Head | undefined;
  private admitted: Admitted | undefined;
  private busy = false;
  private streams = false;

  constructor(
    private readonly socket: Duplex & { setTimeout(ms: number, then?: () => void): unknown },
    private readonly service: Service,
  ) {
    socket.setTimeout(service.idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      // who listens has nothing more to say, and must not fill our memory
      if (this.streams) return;
      this.received.push(bytes);
      this.size += bytes.length;
      if (this.busy) return;
      try {
        this.advance();
      } catch (error) {
        this.abandon(error);
      }
    });
    socket.on('end', () => socket.end());
  }

  private advance(): void {
    while (!this.busy && !this.socket.destroyed) {
      if (this.admitted ? !this.readBody(this.admitted) : !this.readHead()) return;
    }
  }

  /** Takes a head off the buffer; false when more bytes are needed. */
  private readHead(): boolean {
    if (this.size === 0) return false;
    const bytes = this.collect();
    const end = endOfHead(bytes);
    if (end === 'drop') {
      this.socket.destroy();
      return false;
    }
    if (end < 0) return false;
    this.keep(bytes.subarray(end));
    this.requestsLeft -= 1;
    this.begin(parseHead(bytes.subarray(0, end)));
    return true;
  }

  /** A defect of ours costs the client this connection, and nobody else anything. */
  private readonly abandon = (error: unknown): void => {
    this.service.defect(error);
    this.socket.destroy();
  };

  private begin(head: ReturnType<typeof parseHead>): void {
    if (head === 'drop') {
      this.socket.destroy();
      return;
    }
    if (!('method' in head)) {
      this.send(plainReply(head.status, head.reason), false);
      return;
    }
    this.head = head;
    const admitted = this.service.admit(head);
    if ('answer' in admitted) this.admitted = admitted;
    else this.finish(admitted);
  }

  private readBody(admitted: Admitted): boolean {
    if (this.size < admitted.length) return false;
    const bytes = this.collect();
    this.keep(bytes.subarray(admitted.length));
    this.admitted = undefined;
    this.busy = true;
    this.socket.setTimeout(0);
    const outcome = admitted.answer(bytes.subarray(0, admitted.length));
    if (outcome instanceof Promise) outcome.then(this.resume).catch(this.abandon);
    else this.resume(outcome);
    return true;
  }

  private readonly resume = (outcome: Outcome | Streaming): void => {
    this.busy = false;
    if (this.socket.destroyed) return;
    this.socket.setTimeout(this.service.idleMs);
    if ('stream' in outcome) this.hand(outcome.stream);
    else if (!('broken' in outcome)) this.finish(outcome);
    else if (outcome.broken === 'silent') this.socket.destroy();
    else this.sendHalf(outcome.reply);
    this.advance();
  };

  private hand(stream: Stream): void {
    this.busy = true;
    this.streams = true;
    this.socket.setTimeout(0);
    this.socket.write(streamHead(stream.type));
    stream.begin(this.socket);
  }

  private finish(reply: Reply): void {
    const connection = this.head?.headers.get('connection')?.toLowerCase() ?? '';
    const asked = connection === '' ? this.head?.version !== 'HTTP/1.0' : !connection.includes('close');
    this.send(reply, asked && reply.status < 400 && this.requestsLeft > 0);
  }

  private send(reply: Reply, keepAlive: boolean): void {
    const bytes = this.encode(reply, keepAlive);
    this.head = undefined;
    if (keepAlive) {
      this.socket.write(bytes);
      return;
    }
    this.requestsLeft = 0;
    this.busy = true;
    this.socket.end(bytes);
  }

  private sendHalf(reply: Reply): void {
    const bytes = this.encode(reply, false);
    this.busy = true;
    this.socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => this.socket.destroy());
  }

  private encode(reply: Reply, keepAlive: boolean): Buffer {
    const gzip = this.head?.headers.get('accept-encoding')?.includes('gzip') ?? false;
    return encodeReply(reply, {
      version: this.head?.version ?? 'HTTP/1.0',
      gzip,
      keepAlive,
      now: this.service.now(),
    });
  }

  private collect(): Buffer {
    const [only = EMPTY] = this.received;
    return this.received.length <= 1 ? only : Buffer.concat(this.received, this.size);
  }

  private keep(rest: Buffer): void {
    this.received = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
  }
}

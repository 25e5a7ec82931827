import { Agent, request } from 'node:https';
import type { RawAnswer, RawRequest } from './raw-client';
import { readAnswer } from './raw-client';

/** Sends many requests to one server over connections that stay open as long as the server likes. */
export class FastClient {
  private readonly agent: Agent;

  constructor(
    private readonly base: string,
    connections: number,
  ) {
    // left before the server leaves it: Proxmox does after five seconds
    const options = { keepAlive: true, timeout: 4000, maxSockets: connections };
    this.agent = new Agent({ rejectUnauthorized: false, ...options });
  }

  /** The answer as it came; undefined when the server closed the connection instead. */
  send({ method, path, headers = {}, body }: RawRequest): Promise<RawAnswer | undefined> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise(resolve => {
      const outgoing = request(
        this.base + path,
        { method, headers: { ...headers, ...length }, agent: this.agent },
        response => {
          readAnswer(response).then(resolve, () => resolve(undefined));
        },
      );
      outgoing.on('error', () => resolve(undefined));
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

import type { WireAnswer } from './classify';
import type { PveConfig } from './config';
import type { Transport } from './transport';
import { TransportError, openTransport } from './transport';

/** The addresses of one cluster: the one that answered stays in use, the next is tried when nothing can be sent. */
export class EndpointPool {
  private readonly transports: Transport[];
  private current = 0;

  constructor(private readonly config: PveConfig) {
    this.transports = config.endpoints.map(endpoint => openTransport(endpoint, config));
  }

  /** Runs one exchange. Moves to another address only when the request certainly did not leave. */
  async send(exchange: (transport: Transport) => Promise<WireAnswer>): Promise<WireAnswer> {
    const failures: TransportError[] = [];
    for (let tried = 0; tried < this.transports.length; tried += 1) {
      const index = (this.current + tried) % this.transports.length;
      const transport = this.transports[index];
      if (!transport) break;
      try {
        const answer = await exchange(transport);
        this.current = index;
        return answer;
      } catch (error) {
        if (!(error instanceof TransportError) || error.sent) throw error;
        failures.push(error);
      }
    }
    const text = failures.map(({ message }) => message).join('; ');
    const untrusted = failures.some(failure => failure.untrusted);
    throw new TransportError(text, false, { cause: failures[0] }, untrusted);
  }

  async close(): Promise<void> {
    await Promise.all(this.transports.map(transport => transport.close()));
  }
}

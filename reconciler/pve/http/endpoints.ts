import { setTimeout as sleep } from 'node:timers/promises';
import type { WireAnswer } from '../answers/read-answer';
import type { PveConfig } from './pve-config';
import { EndpointsError } from '../answers/errors';
import { TransportError, openTransport, type BeforeSent, type Transport } from './transport';

/** Reads the name of the cluster behind a transport; undefined when it may not be known. May fail. */
type ClusterOf = (transport: Transport) => Promise<string | undefined>;

/** How long the other addresses may take to tell their cluster; one that is away is asked when it is needed. */
const COMPARE_MS = 1_500;

/**
 * The addresses of one cluster: the one that answered stays in use, the next is tried when nothing can be sent. With
 * more than one, nothing goes to any of them before they were compared.
 */
export class EndpointPool {
  private readonly transports: Transport[];
  private readonly clusters = new Map<number, string | undefined>();
  private compared: Promise<void> | undefined;
  private current = 0;

  constructor(
    private readonly config: PveConfig,
    private readonly clusterOf: ClusterOf,
    watch: BeforeSent,
  ) {
    this.transports = config.endpoints.map(endpoint => openTransport(endpoint, config, watch));
  }

  /** Runs one exchange. Moves to another address only when the request certainly did not leave. */
  async send(exchange: (transport: Transport) => Promise<WireAnswer>): Promise<WireAnswer> {
    if (this.transports.length > 1) await (this.compared ??= this.compare());
    const failures: TransportError[] = [];
    for (let tried = 0; tried < this.transports.length; tried += 1) {
      const index = (this.current + tried) % this.transports.length;
      const transport = this.transports[index];
      if (!transport) break;
      try {
        if (index !== this.current) await this.learn(index, transport).catch(neverSent);
        const answer = await exchange(transport);
        this.current = index;
        return answer;
      } catch (error) {
        if (!(error instanceof TransportError) || error.sent) throw error;
        failures.push(error);
      }
    }
    const text = failures.map(({ message }) => message).join('; ');
    const why = failures.find(failure => failure.why !== 'unreachable')?.why ?? 'unreachable';
    const isRefused = failures.length > 0 && failures.every(failure => failure.isRefused);
    throw new TransportError(text, false, why, { cause: failures[0] }, isRefused);
  }

  /** The address that answered last; the first one before any has. */
  get answering(): string {
    return this.config.endpoints[this.current] ?? '';
  }

  async close(): Promise<void> {
    await Promise.all(this.transports.map(transport => transport.close()));
  }

  private async compare(): Promise<void> {
    const learned = this.transports.map((transport, index) => this.learn(index, transport));
    const enough = new AbortController();
    const late = sleep(COMPARE_MS, undefined, { signal: enough.signal }).catch(() => undefined);
    const each = learned.map(async learning => {
      try {
        await Promise.race([learning, late]);
      } catch (error) {
        if (error instanceof EndpointsError) throw error;
      }
    });
    await Promise.all(each).finally(() => enough.abort());
  }

  /** Reads the cluster of an address that is not known yet, and fails when it is not that of the others. */
  private async learn(index: number, transport: Transport): Promise<void> {
    if (this.clusters.has(index)) return;
    const cluster = await this.clusterOf(transport);
    this.clusters.set(index, cluster);
    const told = [...this.clusters]
      .filter(([, name]) => name !== undefined)
      .sort(([one], [other]) => one - other);
    if (new Set(told.map(([, name]) => name)).size < 2) return;
    const named = told.map(([known, name]) => `${this.config.endpoints[known]} is of ${name}`);
    throw new EndpointsError(
      `the endpoints lead to different clusters: ${named.join(', ')}. Keep those of one cluster. Nothing was changed.`,
    );
  }
}

/** What failed was the look at the cluster's name: the request itself has not left. */
function neverSent(error: unknown): never {
  throw error instanceof TransportError
    ? new TransportError(error.message, false, error.why, { cause: error }, error.isRefused)
    : error;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { WireAnswer } from '../answers/read-answer';
import type { PveConfig } from './pve-config';
import { EndpointsError } from '../answers/errors';
import { certifiedText, clusterText, isOtherCluster, type ClusterIdentity } from './cluster-identity';
import { TransportError, openTransport, type BeforeSent, type Transport } from './transport';

/** Reads what tells the cluster behind a transport from another. May fail. */
type ClusterOf = (transport: Transport) => Promise<ClusterIdentity>;

/** How long the other addresses may take to tell their cluster; one that is away is asked when it is needed. */
const COMPARE_MS = 1_500;

/**
 * The addresses of one cluster: the one that answered stays in use, the next is tried when nothing can be sent. With
 * more than one, nothing goes to any of them before they were compared; and each is compared again before it comes into use,
 * as somebody else may have its address by then.
 */
export class EndpointPool {
  private readonly transports: Transport[];
  private readonly clusters = new Map<number, ClusterIdentity>();
  /** The addresses that were compared, and were not away since. */
  private readonly sure = new Set<number>();
  private readonly learning = new Map<number, Promise<void>>();
  private compared: Promise<void> | undefined;
  private current = 0;

  constructor(
    private readonly config: PveConfig,
    private readonly clusterOf: ClusterOf,
    watch: BeforeSent,
  ) {
    this.transports = config.endpoints.map(endpoint => openTransport(endpoint, config, watch));
  }

  /** Sends by the address in use. Moves to another one only when the request certainly did not leave. */
  async send(by: (transport: Transport) => Promise<WireAnswer>): Promise<WireAnswer> {
    const isAlone = this.transports.length === 1;
    if (!isAlone) await this.areCompared();
    const failures: TransportError[] = [];
    let other: EndpointsError | undefined;
    for (let tried = 0; tried < this.transports.length; tried += 1) {
      const index = (this.current + tried) % this.transports.length;
      const transport = this.transports[index];
      if (!transport) break;
      try {
        const isInUse = index === this.current && (isAlone || this.sure.has(index));
        if (!isInUse) await this.learn(index, transport).catch(neverSent);
        const answer = await by(transport);
        this.current = index;
        return answer;
      } catch (error) {
        // another cluster: one of the next may be the right one
        if (error instanceof EndpointsError) other = error;
        else if (!(error instanceof TransportError) || error.sent) throw error;
        this.sure.delete(index);
        if (!(error instanceof TransportError)) continue;
        failures.push(error);
      }
    }
    if (other !== undefined) throw other;
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

  /** Once; where they lead to different clusters, at each request anew: somebody may mend that meanwhile. */
  private async areCompared(): Promise<void> {
    const compared = (this.compared ??= this.compare());
    await compared.catch((error: unknown) => {
      if (this.compared === compared) {
        this.compared = undefined;
        // none of them has been used
        this.clusters.clear();
        this.sure.clear();
      }
      throw error;
    });
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

  /** Compares an address. One reading serves all who wait for it at once. */
  private learn(index: number, transport: Transport): Promise<void> {
    const begun = this.learning.get(index);
    if (begun !== undefined) return begun;
    const learned = this.read(index, transport).finally(() => this.learning.delete(index));
    this.learning.set(index, learned);
    return learned;
  }

  /** Reads the cluster of an address, and fails when it is not that of the others, or not the one that it was. */
  private async read(index: number, transport: Transport): Promise<void> {
    const now = await this.clusterOf(transport);
    for (const [known, before] of this.clusters)
      if (isOtherCluster(before, now)) throw this.differing([known, before], [index, now]);
    this.sure.add(index);
    const { name, authority } = this.clusters.get(index) ?? {};
    this.clusters.set(index, { name: now.name ?? name, authority: now.authority ?? authority });
  }

  private differing(before: Known, now: Known): EndpointsError {
    const [one, other] = [before, now].sort(([first], [second]) => first - second);
    const textOf = before[1].name === now[1].name ? certifiedText : clusterText;
    const text = ([index, cluster]: Known): string =>
      `${this.config.endpoints[index]} is of ${textOf(cluster)}`;
    const named = [one ?? before, other ?? now].map(text).join(', ');
    return new EndpointsError(
      `the endpoints lead to different clusters: ${named}. Keep those of one cluster; where it got a new name or root certificate, start again. Nothing was sent to the other one but reads, and running again is safe.`,
    );
  }
}

type Known = [index: number, cluster: ClusterIdentity];

/** What failed was the look at the cluster's name: the request itself has not left. */
function neverSent(error: unknown): never {
  throw error instanceof TransportError
    ? new TransportError(error.message, false, error.why, { cause: error }, error.isRefused)
    : error;
}

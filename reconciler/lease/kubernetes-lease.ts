import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { isRecord } from '../../spec';
import { ApiError } from '../kubernetes/api/api-error';
import type { Json, KubernetesClient } from '../kubernetes/api/client';
import type { Lease } from './lease';

const ANSWER_MS = 3_000;
const GROUP = '/apis/coordination.k8s.io/v1/namespaces';

/** What a Lease says of its holder. */
interface Said {
  holder: string;
  /** Changes with each renewal. */
  renewal: string;
  freeMs: number;
  changes: number;
}

/**
 * A Lease of Kubernetes. Each write names the version that was read, so that of two hosts one wins. Whether a holder renews
 * is seen by our own clock: his may be wrong.
 */
export class KubernetesLease implements Lease {
  readonly times = { renewMs: 2_000, goodMs: 7_000, freeMs: 10_000 };
  readonly title: string;
  private readonly us = `${os.hostname()}_${randomUUID().slice(0, 8)}`;
  private readonly list: string;
  /** As we wrote or read it last. */
  private known: Json | undefined;
  private seen: { renewal: string; since: number } | undefined;
  private isOurs = false;

  constructor(
    private readonly client: KubernetesClient,
    private readonly namespace: string,
    private readonly name: string,
  ) {
    this.title = `the Lease ${namespace}/${name} of Kubernetes`;
    this.list = `${GROUP}/${namespace}/leases`;
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    const lease = await this.read(signal);
    if (lease !== undefined) {
      const said = saidIn(lease);
      if (said.holder !== '' && said.holder !== this.us && !this.isSilent(said)) return said.holder;
    }
    this.known = lease;
    return (await this.write(this.us)) ? undefined : 'another host, since just now,';
  }

  async renew(): Promise<boolean> {
    if (!this.isOurs) return false;
    if (await this.write(this.us)) return true;
    // somebody wrote it meanwhile, perhaps a label
    const lease = await this.read();
    if (lease === undefined || saidIn(lease).holder !== this.us) return (this.isOurs = false);
    this.known = lease;
    return this.write(this.us);
  }

  async release(): Promise<void> {
    if (this.isOurs) await this.write('').catch(() => undefined);
    this.isOurs = false;
  }

  private isSilent({ renewal, freeMs }: Said): boolean {
    const now = performance.now();
    if (this.seen?.renewal !== renewal) this.seen = { renewal, since: now };
    return now - this.seen.since >= freeMs;
  }

  private async read(signal?: AbortSignal): Promise<Json | undefined> {
    try {
      return await this.client.json(`${this.list}/${this.name}`, {
        timeoutMs: ANSWER_MS,
        ...(signal && { signal }),
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** False: somebody else wrote it since we read it. */
  private async write(holder: string): Promise<boolean> {
    const { known } = this;
    const body = this.leaseOf(holder);
    try {
      const path = known === undefined ? this.list : `${this.list}/${this.name}`;
      const method = known === undefined ? 'POST' : 'PUT';
      this.known = await this.client.json(path, { method, body, timeoutMs: ANSWER_MS });
      this.isOurs = holder === this.us;
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return false;
      throw error;
    }
  }

  private leaseOf(holder: string): Json {
    const { known = {}, namespace, name } = this;
    const metadata = isRecord(known['metadata']) ? known['metadata'] : { namespace, name };
    const said = saidIn(known);
    const at = microTime();
    const isSame = said.holder === holder;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: {
        ...specIn(known),
        holderIdentity: holder,
        leaseDurationSeconds: this.times.freeMs / 1000,
        renewTime: at,
        ...(!isSame && holder !== '' && { acquireTime: at, leaseTransitions: said.changes + 1 }),
      },
    };
  }
}

function specIn(lease: Json): Json {
  return isRecord(lease['spec']) ? lease['spec'] : {};
}

function saidIn(lease: Json): Said {
  const spec = specIn(lease);
  const text = (field: string): string => (typeof spec[field] === 'string' ? spec[field] : '');
  const seconds = Number(spec['leaseDurationSeconds']);
  return {
    holder: text('holderIdentity'),
    renewal: `${text('holderIdentity')} ${text('renewTime')}`,
    // never shorter than our own: its holder may be one of us
    freeMs: Math.max(10_000, Number.isFinite(seconds) ? seconds * 1000 : 0),
    changes: Number(spec['leaseTransitions']) || 0,
  };
}

/** As Kubernetes writes the time of a Lease. */
function microTime(): string {
  return new Date().toISOString().replace(/Z$/, '000Z');
}

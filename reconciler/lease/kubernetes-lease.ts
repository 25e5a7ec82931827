import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { isRecord } from '../../spec';
import { InputError, messageOf } from '../errors';
import { isStatus } from '../kubernetes/api/api-error';
import type { Json, KubernetesClient } from '../kubernetes/api/client';
import { renewUntil, type Lease } from './lease';

/** A renewal that gets no answer can be asked for again while the last one is good. */
const ANSWER_MS = 2_000;
const FREE_MS = 10_000;
/** So many seconds stand in a Lease that was given back. */
const RELEASED = 1;
const GROUP = '/apis/coordination.k8s.io/v1/namespaces';

/** What a Lease says of its holder. */
interface HeldLease {
  holder: string;
  /** Changes with each renewal. */
  renewal: string;
  freeMs: number;
  changes: number;
  /** Its holder gave it back. */
  isReleased: boolean;
}

/**
 * A Lease of Kubernetes. Each write names the version that was read, so that of two hosts one wins. Whether a holder renews
 * is seen by our own clock: his may be wrong.
 */
export class KubernetesLease implements Lease {
  readonly times = { renewMs: 2_000, goodMs: 7_000, freeMs: FREE_MS };
  readonly title: string;
  private readonly us = `${os.hostname()}_${randomUUID().slice(0, 8)}`;
  private readonly list: string;
  /** As we wrote or read it last. */
  private known: Json | undefined;
  private seen: { renewal: string; since: number } | undefined;
  private isOurs = false;
  /** Somebody else may write until then, whoever holds it. */
  private notBefore = 0;

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
    const said = saidIn(lease ?? {});
    const isSilent = this.isSilent(said);
    if (said.holder !== '' && said.holder !== this.us && !isSilent) return said.holder;
    this.known = lease;
    // deleted or emptied by hand: its holder has not heard of it, and may write for a while. The answer may be lost, too
    if (said.holder === '' && !said.isReleased) this.notBefore = performance.now() + this.times.goodMs;
    if (!(await this.write(this.us))) return 'another host, since just now,';
    await renewUntil(this, this.notBefore, signal);
    return undefined;
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

  private isSilent({ renewal, freeMs }: HeldLease): boolean {
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
      if (isStatus(error, 404)) return undefined;
      throw isStatus(error, 403) ? this.denied(error) : error;
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
      if (isStatus(error, 409)) return false;
      // deleted meanwhile
      if (isStatus(error, 404) && known !== undefined) return false;
      throw isStatus(error, 403) ? this.denied(error) : error;
    }
  }

  private denied(error: unknown): InputError {
    return new InputError(
      `${messageOf(error)}. Give the daemon the verbs create, get and update on the Lease ${this.name} in ${this.namespace}: kubernetes/rbac.yaml has them for the name pve-reconciler, and the chart for its own.`,
    );
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
        leaseDurationSeconds: holder === '' ? RELEASED : this.times.freeMs / 1000,
        renewTime: at,
        ...(!isSame && holder !== '' && { acquireTime: at, leaseTransitions: said.changes + 1 }),
      },
    };
  }
}

function specIn(lease: Json): Json {
  return isRecord(lease['spec']) ? lease['spec'] : {};
}

function saidIn(lease: Json): HeldLease {
  const spec = specIn(lease);
  const text = (field: string): string => (typeof spec[field] === 'string' ? spec[field] : '');
  const seconds = Number(spec['leaseDurationSeconds']);
  return {
    holder: text('holderIdentity'),
    renewal: `${text('holderIdentity')} ${text('renewTime')}`,
    // never shorter than our own: its holder may be one of us
    freeMs: Math.max(FREE_MS, Number.isFinite(seconds) ? seconds * 1000 : 0),
    changes: Number(spec['leaseTransitions']) || 0,
    isReleased: text('holderIdentity') === '' && seconds === RELEASED,
  };
}

/** As Kubernetes writes the time of a Lease. */
function microTime(): string {
  return new Date().toISOString().replace(/Z$/, '000Z');
}

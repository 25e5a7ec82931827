import { randomUUID } from 'node:crypto';
import { oneLine } from '../../report/visible';
import { ApiError, isStatus } from '../api/api-error';
import type { KubernetesClient } from '../api/client';
import { apiVersionOf } from '../kinds';
import type { Resource } from '../resources/resource';
import { timeNow } from './merged-status';

/** What happened to a resource, in the words of kubectl. */
export interface Happening {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

interface WrittenEvent {
  name: string;
  count: number;
  writtenAt: number;
}

/** Kubernetes keeps an event for an hour. */
const KEPT_MS = 3_600_000;
const LONGEST_MESSAGE = 1024;
/** One that repeats is counted, and written no more often than this. */
const APART_MS = 60_000;
const MOST_WAITING = 500;

/** Writes events. One that comes again is the same event with a higher count. Events are for people: one may be lost. */
export class EventWriter {
  private readonly known = new Map<string, WrittenEvent>();
  private queue = Promise.resolve();
  private waiting = 0;
  private told = '';

  constructor(
    private readonly client: KubernetesClient,
    private readonly tell: (text: string) => void,
  ) {}

  write(resource: Resource, { type, reason, message }: Happening): void {
    const now = Date.now();
    for (const [key, { writtenAt }] of this.known) if (now - writtenAt > KEPT_MS) this.known.delete(key);
    const shown = oneLine(message).slice(0, LONGEST_MESSAGE);
    const key = [resource.uid, type, reason, shown].join('\n');
    const known = this.known.get(key);
    if (known !== undefined) {
      known.count += 1;
      if (now - known.writtenAt < APART_MS) return;
      known.writtenAt = now;
      const patch = { count: known.count, lastTimestamp: timeNow() };
      return this.send(() =>
        this.client.json(`${eventsOf(resource)}/${known.name}`, { method: 'PATCH', body: patch }),
      );
    }
    const name = `${resource.name.slice(0, 200)}.${randomUUID().slice(0, 13)}`;
    this.known.set(key, { name, count: 1, writtenAt: now });
    const body = bodyOf(resource, { type, reason, message: shown }, name, timeNow());
    this.send(() => this.client.json(eventsOf(resource), { method: 'POST', body }));
  }

  private send(ask: () => Promise<unknown>): void {
    if (this.waiting >= MOST_WAITING) return;
    this.waiting += 1;
    this.queue = this.queue
      .then(ask)
      .then(
        () => undefined,
        (error: unknown) => this.failed(error),
      )
      .finally(() => (this.waiting -= 1));
  }

  private failed(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const remedy = isStatus(error, 403)
      ? " Give the daemon's role the verbs create and patch on events."
      : '';
    // nothing is created in a namespace that goes
    const text = /being terminated/.test(error.said)
      ? ''
      : `An event is not written: ${error.message}.${remedy}`;
    if (text !== '' && this.told !== text) this.tell(text);
    this.told = text;
  }
}

function eventsOf({ namespace }: Resource): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
}

function bodyOf(resource: Resource, happening: Happening, name: string, time: string) {
  const { kind, uid, namespace, version } = resource;
  return {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name, namespace } },
    involvedObject: {
      ...{ apiVersion: apiVersionOf(kind), kind: kind.kind, name: resource.name, namespace, uid },
      resourceVersion: version,
    },
    ...happening,
    ...{ source: { component: 'pve-reconciler' }, reportingComponent: 'pve-reconciler' },
    ...{ firstTimestamp: time, lastTimestamp: time, count: 1 },
  };
}

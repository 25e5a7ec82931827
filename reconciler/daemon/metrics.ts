import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Event } from '../event';
import type { Answered, PveErrorKind } from '../pve';
import { routeOf } from '../report/call-reasons';
import { kindOf } from './backoff';

/** What the gauges are read from when somebody asks. */
export interface Numbers {
  machines: () => { phase: string; node: string; count: number }[];
  pendingRestarts: () => number;
  queue: () => number;
  sourcesAreGood: () => boolean;
  /** Whether this process works on a cluster; without a name: on all. */
  atWork: () => AtWork[];
  clusters: () => { cluster: string; isConnected: boolean; nodes: number; orphans: number }[];
}

interface AtWork {
  cluster: string;
  isAtWork: boolean;
}

type Controller = 'machine' | 'cluster' | 'source';

/** Failures that alerts wait for: they stand at 0 from the start, because Prometheus sees no growth of what was not there. */
const ALARMING: readonly { error_type: PveErrorKind; controller: Controller }[] = [
  { error_type: 'unauthenticated', controller: 'cluster' },
  { error_type: 'denied', controller: 'cluster' },
  { error_type: 'denied', controller: 'machine' },
];

const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];

/** The numbers of the daemon, as Prometheus reads them. No label holds more than a name of Proxmox. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations = this.histogram(
    'proxmox_operator_reconciliation_duration_seconds',
    'How long reconciling took.',
    'controller',
  );
  private readonly actions = this.histogram(
    'proxmox_operator_task_duration_seconds',
    'How long each action of Proxmox took.',
    'action',
  );
  private readonly requests = new Counter({
    name: 'proxmox_operator_api_requests_total',
    help: 'Requests to Proxmox, by route and status; "none": no answer came.',
    labelNames: ['method', 'endpoint', 'status'],
    registers: [this.registry],
  });
  private readonly errors = new Counter({
    name: 'proxmox_operator_errors_total',
    help: 'Failures, by kind.',
    labelNames: ['error_type', 'controller'],
    registers: [this.registry],
  });

  /** `lease`: what this process holds; empty: it takes turns with nobody. */
  constructor(numbers: Numbers, lease: string) {
    collectDefaultMetrics({ register: this.registry });
    for (const labels of ALARMING) this.errors.inc(labels, 0);
    this.gauge('proxmox_operator_machines_total', 'Machines by phase and node.', ['phase', 'node'], gauge =>
      numbers.machines().forEach(({ phase, node, count }) => gauge.set({ phase, node }, count)),
    );
    this.gauge(
      'proxmox_operator_pending_restarts',
      'Machines with changes that wait for a restart.',
      [],
      gauge => gauge.set(numbers.pendingRestarts()),
    );
    this.gauge('proxmox_operator_queue_depth', 'Machines that wait for their turn.', [], gauge =>
      gauge.set(numbers.queue()),
    );
    tellWork(this.registry, lease, numbers.atWork);
    this.gauge('proxmox_operator_sources_good', '1: what is wanted was read without a fault.', [], gauge =>
      gauge.set(Number(numbers.sourcesAreGood())),
    );
    this.ofClusters(numbers);
  }

  /** To be handed to the client of Proxmox. */
  readonly answered: Answered = ({ method, path, status }) =>
    this.requests.inc({
      method,
      endpoint: routeOf(path),
      status: status === undefined ? 'none' : String(status),
    });

  note(event: Event): void {
    if (event.kind === 'finished')
      this.actions.observe({ action: event.action.kind }, event.elapsedMs / 1000);
  }

  took(controller: Controller, sinceMs: number): void {
    this.durations.observe({ controller }, (performance.now() - sinceMs) / 1000);
  }

  failed(controller: Controller, error: unknown): void {
    this.errors.inc({ error_type: kindOf(error), controller });
  }

  async text(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private ofClusters({ clusters }: Numbers): void {
    const each = (
      name: string,
      help: string,
      of: (one: ReturnType<Numbers['clusters']>[number]) => number,
    ): void =>
      this.gauge(name, help, ['cluster'], gauge =>
        clusters().forEach(one => gauge.set({ cluster: one.cluster }, of(one))),
      );
    each('proxmox_cluster_nodes_available', 'Nodes that are online.', ({ nodes }) => nodes);
    each('proxmox_cluster_connection_status', '1: the cluster answers.', one => Number(one.isConnected));
    each('proxmox_operator_orphans', 'Guests that nothing asks for any more.', ({ orphans }) => orphans);
  }

  private gauge(name: string, help: string, labelNames: string[], read: (gauge: Gauge) => void): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        read(this);
      },
    });
  }

  private histogram(name: string, help: string, label: string): Histogram {
    return new Histogram({ name, help, labelNames: [label], buckets: SECONDS, registers: [this.registry] });
  }
}

/** Where this process works, and where it stands by. */
export function tellWork(registry: Registry, lease: string, atWork: () => AtWork[]): void {
  new Gauge({
    name: 'proxmox_operator_at_work',
    help: '1: this process works; 0: it stands by, and another host may hold the lease. Where hosts share the clusters: of each.',
    labelNames: ['lease', 'cluster'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { cluster, isAtWork } of atWork())
        this.set(cluster === '' ? { lease } : { lease, cluster }, Number(isAtWork));
    },
  });
}

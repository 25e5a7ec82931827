import { visible, visibleTexts } from '../report/visible';
import type { DaemonView } from './daemon-view';
import type { Address } from './http/address';
import { plain, type Answer } from './http/answer';
import type { Route, Served } from './http/listen';
import type { Metrics } from './metrics';
import { PAGE } from './page/page';
import type { DaemonSettings } from './daemon-settings';

/** For so long the same text is given to all who ask for the whole fleet. */
const SAME_MS = 1_000;

/** What the daemon tells over HTTP, and where. */
export function routesFor(settings: DaemonSettings, view: DaemonView, metrics: Metrics): Served[] {
  const names = [settings.status?.host?.toLowerCase() ?? [], settings.allowedHosts].flat();
  const rows: [variable: string, address: Address | undefined, route: Route, names?: string[]][] = [
    [
      'METRICS_BIND_ADDRESS',
      settings.metrics,
      path => (path === '/metrics' ? metricsOf(metrics) : undefined),
    ],
    ['HEALTH_PROBE_BIND_ADDRESS', settings.probes, probes(view)],
    ['STATUS_BIND_ADDRESS', settings.status, machines(view), names],
  ];
  return rows.flatMap(([variable, address, route, known]) =>
    address ? [{ variable, address, route, ...(known && { names: known }) }] : [],
  );
}

async function metricsOf(metrics: Metrics): Promise<Answer> {
  const { type, text } = await metrics.text();
  return { status: 200, type, text };
}

function probes(view: DaemonView): Route {
  return path => {
    // whoever answers lives; a cluster that is away is no reason to be started again
    if (path === '/healthz') return plain(200, 'ok\n');
    if (path !== '/readyz') return undefined;
    const reason = view.notReady();
    if (reason !== undefined) return plain(500, `not ready: ${reason}\n`);
    // a host that keeps none is ready to take over
    return plain(200, ['ok', ...view.standsBy().map(visible), ''].join('\n'));
  };
}

function machines(view: DaemonView): Route {
  let kept: { text: string; until: number } | undefined;
  const whole = (): string => {
    if (kept === undefined || performance.now() >= kept.until)
      kept = { text: JSON.stringify(visibleTexts(view.told())), until: performance.now() + SAME_MS };
    return kept.text;
  };
  return path => {
    if (path === '/') return { status: 200, type: 'text/html', text: PAGE };
    if (path === '/machines') return { status: 200, type: 'application/json', text: whole() };
    const [, id] = /^\/machines\/([^/]+)$/.exec(path) ?? [];
    return id === undefined ? undefined : one(view, id);
  };
}

function one(view: DaemonView, id: string): Answer | undefined {
  const [first, ...more] = view.named(decoded(id));
  if (first === undefined) return undefined;
  const told = more.length === 0 ? first : { machines: [first, ...more] };
  return { status: 200, type: 'application/json', text: JSON.stringify(visibleTexts(told)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

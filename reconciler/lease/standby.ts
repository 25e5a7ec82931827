import { Registry } from 'prom-client';
import type { DaemonSettings } from '../daemon/daemon-settings';
import type { Address } from '../daemon/http/address';
import { plain, type Answer } from '../daemon/http/answer';
import type { Route, Served } from '../daemon/http/listen';
import { tellWork } from '../daemon/metrics';
import { visible } from '../report/visible';

/** What a host that stands by tells over HTTP: that it lives, and who works. */
export function standbyRoutes(settings: DaemonSettings, lease: string, why: () => string): Served[] {
  const says = (): string => `standing by: ${visible(why())}\n`;
  const registry = new Registry();
  tellWork(registry, lease, () => [{ cluster: '', isAtWork: false }]);
  const numbers = async (): Promise<Answer> => ({
    status: 200,
    type: registry.contentType,
    text: await registry.metrics(),
  });
  const rows: [variable: string, address: Address | undefined, route: Route][] = [
    ['METRICS_BIND_ADDRESS', settings.metrics, path => (path === '/metrics' ? numbers() : undefined)],
    // it is ready to take over: an update of two hosts waits for nothing else
    ['HEALTH_PROBE_BIND_ADDRESS', settings.probes, path => probe(path, says())],
    ['STATUS_BIND_ADDRESS', settings.status, () => plain(503, says())],
  ];
  return rows.flatMap(([variable, address, route]) => (address ? [{ variable, address, route }] : []));
}

function probe(path: string, says: string): ReturnType<Route> {
  if (path === '/healthz') return plain(200, 'ok\n');
  return path === '/readyz' ? plain(200, says) : undefined;
}

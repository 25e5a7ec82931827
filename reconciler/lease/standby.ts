import type { DaemonSettings } from '../daemon/daemon-settings';
import type { Address } from '../daemon/http/address';
import { plain } from '../daemon/http/answer';
import type { Route, Served } from '../daemon/http/listen';
import { visible } from '../report/visible';

/** What a host that stands by tells over HTTP: that it lives, and who works. */
export function standbyRoutes(settings: DaemonSettings, why: () => string): Served[] {
  const says = (): string => `standing by: ${visible(why())}\n`;
  const rows: [variable: string, address: Address | undefined, route: Route][] = [
    [
      'METRICS_BIND_ADDRESS',
      settings.metrics,
      path => (path === '/metrics' ? plain(200, AT_WORK) : undefined),
    ],
    // it is ready to take over: an update of two hosts waits for nothing else
    ['HEALTH_PROBE_BIND_ADDRESS', settings.probes, path => probe(path, says())],
    ['STATUS_BIND_ADDRESS', settings.status, () => plain(503, says())],
  ];
  return rows.flatMap(([variable, address, route]) => (address ? [{ variable, address, route }] : []));
}

const AT_WORK = [
  '# HELP proxmox_operator_at_work 1: this process works; 0: it stands by, and another holds the lease.',
  '# TYPE proxmox_operator_at_work gauge',
  'proxmox_operator_at_work 0',
  '',
].join('\n');

function probe(path: string, says: string): ReturnType<Route> {
  if (path === '/healthz') return plain(200, 'ok\n');
  return path === '/readyz' ? plain(200, says) : undefined;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDaemon } from '../../../reconciler/daemon/daemon';
import { InterruptedError } from '../../../reconciler/errors';
import { Reporter } from '../../../reconciler/report/reporter';
import { desiredJson, type Json } from '../cluster/lab';
import { until } from '../daemon/daemon-lab';
import type { Stage } from './stage';

const ROUNDS = 7;

/** Runs a daemon that prunes for some rounds. What it logged. */
export async function daemonFor({ lab }: Stage, machines: Json[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'losses-'));
  const file = join(folder, 'desired.json');
  writeFileSync(file, JSON.stringify(desiredJson(machines, { pollFloor: '5ms' })));
  let log = '';
  const stop = new AbortController();
  const loopback = '127.0.0.1:0';
  const around = {
    environment: {
      ...lab.access,
      ...{ PVE_TASK_POLL_INTERVAL: '5ms', RECONCILE_INTERVAL: '200ms' },
      METRICS_BIND_ADDRESS: loopback,
      HEALTH_PROBE_BIND_ADDRESS: loopback,
      STATUS_BIND_ADDRESS: loopback,
    },
    readInput: () => Promise.resolve(''),
    out: () => undefined,
    reporter: new Reporter({ write: text => void (log += text), level: 'info', json: true }),
    signal: stop.signal,
  };
  lab.simulator.ledger.reset();
  const ended = runDaemon(around, { spec: [file], prune: true });
  let isOver = false;
  ended.catch(() => undefined).finally(() => (isOver = true));
  const rounds = (): number =>
    lab.simulator.ledger.entries().filter(({ path }) => path === '/cluster/options').length;
  try {
    await until(rounds, count => isOver || count >= ROUNDS);
  } finally {
    stop.abort(new InterruptedError(143));
    await Promise.allSettled([ended]);
    rmSync(folder, { recursive: true, force: true });
  }
  return log;
}

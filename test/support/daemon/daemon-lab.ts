import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../reconciler/commands/run';
import { InterruptedError } from '../../../reconciler/errors';
import type { Options } from '../../../reconciler/input/surroundings';
import { Reporter } from '../../../reconciler/report/reporter';
import { desiredJson, type Json } from '../cluster/lab';
import { programAccess } from '../cluster/program-access';
import type { ClusterOptions } from '../cluster/start-cluster';
import { startCluster } from '../cluster/start-cluster';

/** A line of the daemon's log. */
type Line = Record<string, string | number> & { level: string; message: string };

/** Looks until it is so; fails, with what was last seen, when the test's time is nearly up. */
export async function until<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > end) throw new Error(`it never was so: ${JSON.stringify(seen)}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** A daemon in this process, at work on a simulated cluster. */
export function startDaemon(options: Options, environment: Record<string, string>) {
  const lines: Line[] = [];
  const stop = new AbortController();
  const reporter = new Reporter({
    write: text => void lines.push(JSON.parse(text) as Line),
    level: 'debug',
    json: true,
  });
  const around = {
    environment: {
      RECONCILE_INTERVAL: '200ms',
      METRICS_BIND_ADDRESS: '127.0.0.1:0',
      HEALTH_PROBE_BIND_ADDRESS: '127.0.0.1:0',
      STATUS_BIND_ADDRESS: '127.0.0.1:0',
      ...environment,
    },
    readInput: () => Promise.resolve(''),
    out: () => undefined,
    reporter,
    signal: stop.signal,
  };
  const ended = run(around, options);
  // whoever waits for its end hears of it
  ended.catch(() => undefined);
  const said = (message: string): Line[] => lines.filter(line => line.message === message);
  const addressOf = async (variable: string): Promise<string> => {
    const all = await until(
      () => said('Listening'),
      found => found.some(line => line['variable'] === variable),
    );
    // a host that stood by has listened before
    return `http://${all.findLast(line => line['variable'] === variable)?.['address']}`;
  };
  const get = async (variable: string, path: string, init?: RequestInit) => {
    const answer = await fetch((await addressOf(variable)) + path, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    lines,
    said,
    ended,
    addressOf,
    get,
    ready: () => get('HEALTH_PROBE_BIND_ADDRESS', '/readyz'),
    metrics: async () => (await get('METRICS_BIND_ADDRESS', '/metrics')).text,
    machine: async (id: string): Promise<Json> => {
      const { status, text } = await get('STATUS_BIND_ADDRESS', `/machines/${id}`);
      return status === 200 ? (JSON.parse(text) as Json) : {};
    },
    stop: async () => {
      stop.abort(new InterruptedError(143));
      await ended;
    },
  };
}

export type RunningDaemon = ReturnType<typeof startDaemon>;

/** A simulated cluster, a file that says what is wanted, and daemons that keep it so. */
export async function daemonLab(machines: Json[], options: ClusterOptions = {}) {
  const simulator = await startCluster({ taskMs: 5, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'daemon-'));
  const file = join(folder, 'desired.json');
  const running: RunningDaemon[] = [];
  /** Another file takes its place at once, as `kubectl` and editors do. */
  const write = (text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  const want = (wanted: Json[]): void => write(JSON.stringify(desiredJson(wanted, { pollFloor: '10ms' })));
  want(machines);
  return {
    simulator,
    folder,
    file,
    write,
    want,
    start: (given: Options = {}, environment: Record<string, string> = {}): RunningDaemon => {
      const access = { ...programAccess(simulator), ...environment };
      const daemon = startDaemon({ spec: [file], ...given }, access);
      running.push(daemon);
      return daemon;
    },
    /** The guests of this name. */
    guests: (name: string) =>
      Object.values(simulator.world.guests).filter(({ config }) => config['name'] === name),
    writes: () =>
      simulator.ledger
        .entries()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
    close: async () => {
      await Promise.allSettled(running.map(daemon => daemon.stop()));
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type DaemonLab = Awaited<ReturnType<typeof daemonLab>>;

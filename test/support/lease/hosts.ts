import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { openToRoot, startCluster, type ClusterOptions } from '../cluster/start-cluster';
import { start, type Running } from '../processes/cli';
import { cableTo, type Cable } from './cable';

export type Json = Record<string, unknown>;
type Line = Record<string, string | undefined> & { message: string };

/** A simulated cluster that several hosts keep, with a token for each of them. */
export interface SharedCluster {
  name: string;
  simulator: Simulator;
  /** All writes since the start: the ledger forgets the oldest. */
  writes: { n: number; host: string; text: string }[];
  /** Where it stood in the ledger when a host said that it holds the cluster. */
  held: { host: string; after: number }[];
  /** The way of all hosts to it, where there is a cable. */
  cable: Cable | undefined;
}

/** A host, with a cable of its own to PostgreSQL. */
export interface Host {
  name: string;
  cable: Cable;
  running: Running;
  lines: () => Line[];
  begin: () => void;
}

export interface Given {
  clusters: number;
  machines: (cluster: string) => Json[];
  options?: ClusterOptions;
  environment?: Record<string, string>;
  args?: string[];
  /** Where the hosts read what is wanted, in place of the files. */
  places?: string[];
  /** Whether hosts reach the clusters over cables. */
  isCabled?: boolean;
}

/** Clusters named `c1`, `c2` …, a file of each, and as many hosts as are begun, all with the same files. */
export async function sharedLab(postgresPort: number, given: Given) {
  const folder = mkdtempSync(path.join(tmpdir(), 'shared-'));
  const clusters: SharedCluster[] = [];
  const hosts: Host[] = [];
  for (let n = 1; n <= given.clusters; n += 1) {
    const world = openToRoot(defaultWorld(3));
    const tokens = world.access.users['root@pam']?.tokens ?? {};
    for (let host = 1; host <= 8; host += 1)
      tokens[`h${host}`] = { value: `secret-h${host}`, privsep: false };
    const simulator = await startCluster({ taskMs: 50, ...given.options, world });
    const cable = given.isCabled ? await cableTo(Number(new URL(simulator.url).port)) : undefined;
    const writes = keptWrites(simulator);
    clusters.push({ name: `c${n}`, simulator, writes, held: [], cable });
  }
  const fileOf = (folderOf: string, cluster: string): string => path.join(folderOf, `${cluster}.json`);
  const write = (folderOf: string, cluster: string, machines: Json[]): void => {
    const document = {
      version: 1,
      owner: `team/${cluster}`,
      cluster: { name: cluster, pollFloor: '20ms' },
      machines,
    };
    const file = fileOf(folderOf, cluster);
    writeFileSync(`${file}.new`, JSON.stringify(document));
    renameSync(`${file}.new`, file);
  };
  for (const { name } of clusters) write(folder, name, given.machines(name));

  /** Begins another host. `named`: the clusters of its files; absent: all. */
  const addHost = async (named?: readonly string[]): Promise<Host> => {
    const name = `h${hosts.length + 1}`;
    const cable = await cableTo(postgresPort);
    const ours = clusters.filter(cluster => named === undefined || named.includes(cluster.name));
    const access = ours.flatMap(({ name: cluster, simulator, cable: to }) =>
      Object.entries({
        ENDPOINT: to ? `https://127.0.0.1:${to.port}` : simulator.url,
        TOKEN_ID: `root@pam!${name}`,
        TOKEN_SECRET: `secret-${name}`,
        CA_BUNDLE: simulator.ca,
      }).map(([key, value]) => [`PVE_${cluster.toUpperCase()}_${key}`, value]),
    );
    const env = {
      ...Object.fromEntries(access),
      LOG_FORMAT: 'json',
      RECONCILE_INTERVAL: '500ms',
      METRICS_BIND_ADDRESS: '127.0.0.1:0',
      HEALTH_PROBE_BIND_ADDRESS: '127.0.0.1:0',
      STATUS_BIND_ADDRESS: '127.0.0.1:0',
      ...given.environment,
    };
    const places = given.places ?? ours.map(({ name: cluster }) => fileOf(folder, cluster));
    const files = places.flatMap(place => ['--spec', place]);
    const lease = ['--lease', `postgres://pve@127.0.0.1:${cable.port}/postgres`];
    const begin = (): Running => {
      const running = start(['run', ...files, ...lease, ...(given.args ?? [])], env);
      noteHeld(running, name, clusters);
      return running;
    };
    const host: Host = {
      name,
      cable,
      running: begin(),
      lines: () => linesOf(host.running.stderr()),
      begin: () => void (host.running = begin()),
    };
    hosts.push(host);
    return host;
  };

  return {
    folder,
    clusters,
    hosts,
    addHost,
    want: (cluster: string, machines: Json[]): void => write(folder, cluster, machines),
    close: async (): Promise<void> => {
      for (const { running } of hosts) {
        running.child.kill('SIGCONT');
        running.child.kill('SIGTERM');
      }
      const late = setTimeout(() => hosts.forEach(({ running }) => running.child.kill('SIGKILL')), 20_000);
      await Promise.all(hosts.map(({ running }) => running.ended));
      clearTimeout(late);
      await Promise.all(hosts.map(({ cable }) => cable.close()));
      await Promise.all(clusters.map(({ cable }) => cable?.close()));
      await Promise.all(clusters.map(({ simulator }) => simulator.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SharedLab = Awaited<ReturnType<typeof sharedLab>>;

function noteHeld(running: Running, host: string, clusters: readonly SharedCluster[]): void {
  let rest = '';
  running.child.stderr?.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n');
    rest = whole.pop() ?? '';
    for (const { message, cluster } of linesOf(whole.join('\n'))) {
      const found = message === 'Holds the lease' && clusters.find(({ name }) => name === cluster);
      if (found) found.held.push({ host, after: found.simulator.ledger.lastNumber() });
    }
  });
}

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

export async function get(host: Host, variable: string, where: string) {
  const line = host
    .lines()
    .findLast(({ message, variable: of }) => message === 'Listening' && of === variable);
  const answer = await fetch(`http://${line?.['address']}${where}`, { signal: AbortSignal.timeout(5_000) });
  return { status: answer.status, text: await answer.text() };
}

/** The clusters that a host keeps, as it says itself. None where it does not answer. */
export async function keptBy(host: Host): Promise<string[]> {
  try {
    const { text } = await get(host, 'STATUS_BIND_ADDRESS', '/machines');
    const { clusters } = JSON.parse(text) as { clusters: { name: string; nodes?: unknown }[] };
    return clusters.filter(({ nodes }) => nodes !== undefined).map(({ name }) => name);
  } catch {
    return [];
  }
}

function keptWrites({ ledger }: Simulator): SharedCluster['writes'] {
  const writes: SharedCluster['writes'] = [];
  const told = ledger.onRecord;
  ledger.onRecord = () => {
    told();
    const [last] = ledger.latest(1);
    if (last?.write)
      writes.push({
        n: last.n,
        host: last.user?.replace('root@pam!', '') ?? '',
        text: `${last.method} ${last.path}`,
      });
  };
  return writes;
}

/**
 * Writes of a host to a cluster after another one had begun there: in the ledger, between two hosts that said that they
 * hold it, the first one writes, then the second, and never the first again.
 */
export function doubled({ name, writes, held }: SharedCluster): string[] {
  const found: string[] = [];
  let at = -1;
  let hasNextBegun = false;
  for (const { n, host, text } of writes) {
    while ((held[at + 1]?.after ?? Infinity) < n) {
      at += 1;
      hasNextBegun = false;
    }
    // what it said came a moment after it had begun
    const isNext = host === held[at + 1]?.host && host !== held[at]?.host;
    if (isNext) hasNextBegun = true;
    else if (host !== held[at]?.host || hasNextBegun) found.push(`${name} ${n} ${host}: ${text}`);
  }
  return found;
}

/** Waits until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>, otherwise: string, seconds = 90) {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > seconds * 1000) throw new Error(`after ${seconds} s: ${otherwise}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return performance.now() - from;
}

/** How many clusters each host keeps, in order. */
export function balance(hosts: readonly Host[]): Promise<number[]> {
  return Promise.all(hosts.map(async host => (await keptBy(host)).length));
}

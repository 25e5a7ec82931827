/**
 * Calls and wall time of the reconciler against the simulator: `npm run bench:reconciler`. Prints tables in Markdown.
 * Cluster and reconciler are processes of their own, as they are in use. Every task takes half a second; what the
 * tasks alone take stands beside what was measured.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../reconciler/pve';
import { reconcileOnce } from '../test/support/cluster/reconcile-once';
import { parseDesiredState } from '../spec';
import { TOKEN } from '../test/support/cluster/start-cluster';
import type { BenchCluster, Json } from './reconciler-cluster';
import { benchCluster, callsOf, serveCluster } from './reconciler-cluster';

const TASK_MS = 500;
const AT_ONCE = 10;
const MACHINES = 50;
const OWNER = 'bench/fleet';

const clone = (id: string, more: Json = {}): Json & { id: string } => ({
  id,
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  memory: '1Gi',
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan' }],
  cloudInit: { user: 'me' },
  shutdownTimeout: '1s',
  ...more,
});
const bare = (id: string): Json & { id: string } => ({
  id,
  image: { template: 'ubuntu-22.04' },
  power: 'stopped',
});
const state = (machines: Json[]): Json => ({ version: 1, owner: OWNER, cluster: { name: 'lab' }, machines });

/** Brings one machine to its spec, as a program of its own would. */
type Bring = (machine: Json & { id: string }) => Promise<void>;

/** A process of the product for each machine, called as Terraform calls it. */
function asProcess(cluster: BenchCluster, tokens: Record<string, string> = {}): Bring {
  return async machine => {
    await cluster.run(['apply'], {
      PROXMOX_PROTOCOL: '1',
      PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }),
      PROXMOX_OWNER: OWNER,
      PROXMOX_MACHINE: machine.id,
      PROXMOX_ENTRY: 'bench',
      PROXMOX_TOKEN: tokens[machine.id] ?? '',
      PROXMOX_SPEC: JSON.stringify(machine),
    });
  };
}

/** One observe of all machines, then a process for each with its token: what `terraform apply` does. */
async function asTerraform(cluster: BenchCluster): Promise<Bring> {
  const specs = all().map(machine => [`spec.${machine.id}`, JSON.stringify(machine)]);
  const query = { protocol: '1', cluster: JSON.stringify({ name: 'lab' }), owner: OWNER };
  const answer = await cluster.run(
    ['observe'],
    {},
    JSON.stringify({ ...query, ...Object.fromEntries(specs) }),
  );
  const told = JSON.parse(answer) as Record<string, string>;
  return asProcess(cluster, Object.fromEntries(all().map(({ id }) => [id, told[`${id}.token`] ?? ''])));
}

/** All in this process, with a connection and a reading of the cluster for each machine. */
function asConnection({ ready }: BenchCluster): Bring {
  return async machine => {
    const { snapshots = [], ...spec } = machine;
    const parsed = parseDesiredState({ ...state([spec]), snapshots });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const pve = connect({
      endpoints: [ready.url],
      credentials: { kind: 'token', ...TOKEN },
      tls: { insecure: false, ca: ready.ca },
      maxRequests: 8,
      requestTimeoutMs: 30_000,
      poll: { floorMs: 50, ceilingMs: 2_000 },
    });
    const [ending] = await reconcileOnce(parsed.value, pve);
    await pve.close();
    if (ending && 'error' in ending) throw ending.error;
  };
}

interface Measured {
  tasks: number;
  calls: number;
  milliseconds: number[];
  total: number;
}

async function measure(
  cluster: BenchCluster,
  tasks: number,
  wanted: (Json & { id: string })[],
  bring: Bring,
  atOnce = AT_ONCE,
): Promise<Measured> {
  await cluster.requests();
  const left = [...wanted];
  const milliseconds: number[] = [];
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (let machine = left.shift(); machine; machine = left.shift()) {
      const begun = performance.now();
      await bring(machine);
      milliseconds.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const total = performance.now() - started;
  const calls = callsOf(await cluster.requests()).length / wanted.length;
  return { tasks, calls, milliseconds, total };
}

function row(name: string, { tasks, calls, milliseconds, total }: Measured): string {
  const sorted = milliseconds.sort((a, b) => a - b);
  const at = (share: number): string => seconds(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  const perMinute = Math.round((milliseconds.length / total) * 60_000);
  const floor = seconds(tasks * TASK_MS);
  return `| ${name} | ${at(0.5)} | ${at(0.95)} | ${perMinute} ops/min | ${tasks} | ${floor} | ${calls.toFixed(1)} |`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const names = (prefix: string, count = MACHINES): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

type Print = (name: string, tasks: number, wanted: (Json & { id: string })[]) => Promise<void>;

/** Prints what it measures, ten at a time, as a table. */
async function table(
  title: string,
  bringOf: (cluster: BenchCluster) => Bring | Promise<Bring>,
  rows: (print: Print) => Promise<void>,
): Promise<void> {
  const cluster = await benchCluster(TASK_MS);
  const bring = await bringOf(cluster);
  head(title);
  await rows(async (name, tasks, wanted) =>
    console.log(row(name, await measure(cluster, tasks, wanted, bring))),
  );
  cluster.close();
}

const all = (more: Json = {}): (Json & { id: string })[] => names('m').map(id => clone(id, more));

async function operations(print: Print): Promise<void> {
  const grown = { cpu: { cores: 6 }, disks: [{ name: 'root', size: '50G' }] };
  await print('create: clone, configure, grow, start', 3, all());
  await print('describe (no-op)', 0, all());
  await print('reconfigure CPU', 0, all({ cpu: { cores: 6 } }));
  await print('tags', 0, all({ cpu: { cores: 6 }, tags: ['x'] }));
  await print('grow a disk', 1, all(grown));
  // each of a machine that runs: its memory is written too, in the one task
  await print('snapshot, with memory', 1, snapshotsOf(all(grown)));
  await print('power off', 1, all({ ...grown, power: 'stopped' }));
  await print('power on', 1, all(grown));
  await print('clone (linked), no snapshot', 1, names('c').map(bare));
}

/** Machines of which a snapshot is wanted. */
const snapshotsOf = (machines: (Json & { id: string })[]): (Json & { id: string })[] =>
  machines.map(machine => ({
    ...machine,
    snapshots: [{ machine: machine.id, name: 'before', includeMemory: true }],
  }));

/** Starting the program costs most here, so that two rows say it all. */
async function operationsOfProcesses(print: Print): Promise<void> {
  await print('create: clone, configure, grow, start', 3, all());
  await print('describe (no-op)', 0, all());
}

/** One at a time: what the reconciler itself adds to the tasks, when nothing else is at work. */
async function alone(): Promise<void> {
  const cluster = await benchCluster(TASK_MS);
  head('One at a time, nothing else at work');
  const ids = names('m', 7);
  const print = async (name: string, tasks: number, more: Json, bring: Bring, which = ids): Promise<void> => {
    const wanted = which.map(id => clone(id, more));
    console.log(row(name, await measure(cluster, tasks, wanted, bring, 1)));
  };
  const connection = asConnection(cluster);
  await print('create, by a connection', 3, {}, connection);
  await print('create, by a process', 3, {}, asProcess(cluster), names('p', 7));
  await print('describe (no-op), by a connection', 0, {}, connection);
  await print('grow a disk, by a connection', 1, { disks: [{ name: 'root', size: '50G' }] }, connection);
  cluster.close();
}

const terraform = (): Promise<void> =>
  table('Ten at a time, each a process with its token of one plan', asTerraform, operationsOfProcesses);

function head(title: string): void {
  console.log(`\n${title}:\n`);
  console.log('| operation | P50 | P95 | throughput | tasks | floor of the tasks | calls a machine |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
}

/** A fleet in one process: the limits of the cluster's spec hold there. */
async function fleet(): Promise<void> {
  const cluster = await benchCluster(TASK_MS);
  const started = performance.now();
  await cluster.run(
    ['reconcile', '--spec', '-', '-q'],
    {},
    JSON.stringify(state(names('m').map(id => clone(id)))),
  );
  console.log(`\n${MACHINES} creates by one process, 4 clones of a template at once: ${since(started)}.`);
  cluster.close();
}

/** A thousand machines observed and planned by one process, and the most memory that it had. */
async function memory(): Promise<void> {
  const cluster = await benchCluster(0);
  const blank = { image: { blank: true }, memory: '64Mi', power: 'stopped' };
  const disks = [{ name: 'root', size: '1G', storage: 'shared' }];
  const text = JSON.stringify(state(names('m', 1000).map(id => ({ id, ...blank, disks }))));
  await cluster.run(['reconcile', '--spec', '-', '-q'], {}, text);
  const folder = mkdtempSync(join(tmpdir(), 'memory-'));
  const [hook, file] = [join(folder, 'hook.cjs'), join(folder, 'kib')];
  const peak = 'String(process.resourceUsage().maxRSS)';
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(file)}, ${peak}));`,
  );
  const started = performance.now();
  await cluster.run(['plan', '--spec', '-', '--check'], { NODE_OPTIONS: `--require ${hook}` }, text);
  const mebibytes = Number(readFileSync(file, 'utf8')) / 1024;
  console.log(
    `\n1,000 machines observed and planned by one process: ${since(started)}, ${mebibytes.toFixed(0)} MiB at most.`,
  );
  rmSync(folder, { recursive: true });
  cluster.close();
}

const since = (started: number): string => seconds(performance.now() - started);

async function main([role, taskMs]: string[]): Promise<void> {
  if (role === 'cluster') return serveCluster(Number(taskMs));
  console.log(`load average ${loadavg()[0]?.toFixed(0)}, ${cpus().length} cores, node ${process.version}`);
  if (role === 'terraform') return terraform();
  await alone();
  await table('Ten at a time, each a connection with a reading of its own', asConnection, operations);
  await terraform();
  await fleet();
  await memory();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

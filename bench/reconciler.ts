/**
 * Calls and wall time of the reconciler against the simulator: `npm run bench:reconciler`. Prints tables in Markdown.
 * Every task takes half a second; what the tasks alone take stands beside what was measured.
 */
import { desired, errorsOf, lab } from '../test/support/lab';
import type { Json, Lab } from '../test/support/lab';

const TASK_MS = 500;
const AT_ONCE = 10;
const MACHINES = 50;

const clone = (id: string, more: Json = {}): Json => ({
  id,
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  memory: '4Gi',
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan' }],
  cloudInit: { user: 'me' },
  shutdownTimeout: '1s',
  ...more,
});

interface Measured {
  name: string;
  tasks: number;
  calls: number;
  milliseconds: number[];
  total: number;
}

/** Runs one reconcile a machine, ten at a time, each as a process of its own would. */
async function measure(cluster: Lab, name: string, tasks: number, wanted: Json[]): Promise<Measured> {
  cluster.calls();
  const left = [...wanted];
  const milliseconds: number[] = [];
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (let machine = left.shift(); machine; machine = left.shift()) {
      const begun = performance.now();
      const errors = errorsOf(await cluster.run(desired([machine])));
      if (errors.length > 0) throw new Error(errors.join('\n'));
      milliseconds.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const total = performance.now() - started;
  return { name, tasks, calls: cluster.calls().length / wanted.length, milliseconds, total };
}

function row({ name, tasks, calls, milliseconds, total }: Measured): string {
  const sorted = milliseconds.sort((a, b) => a - b);
  const at = (share: number): string => seconds(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  const perMinute = Math.round((milliseconds.length / total) * 60_000);
  const floor = seconds(tasks * TASK_MS);
  return `| ${name} | ${at(0.5)} | ${at(0.95)} | ${perMinute} ops/min | ${tasks} | ${floor} | ${calls.toFixed(1)} |`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const ids = Array.from({ length: MACHINES }, (_, index) => `m${index}`);

async function operations(): Promise<void> {
  const cluster = await lab({ taskMs: TASK_MS });
  const all = (more: Json = {}): Json[] => ids.map(id => clone(id, more));
  console.log('| operation | P50 | P95 | throughput | tasks | floor of the tasks | calls a machine |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  const print = async (name: string, tasks: number, wanted: Json[]): Promise<void> =>
    console.log(row(await measure(cluster, name, tasks, wanted)));
  await print('create: clone, configure, grow, start', 3, all());
  for (const guest of Object.values(cluster.world.guests)) guest.system.bootMs = 0;
  await print('describe (no-op)', 0, all());
  await print('reconfigure CPU', 0, all({ cpu: { cores: 6 } }));
  await print('tags', 0, all({ cpu: { cores: 6 }, tags: ['x'] }));
  await print('grow a disk', 1, all({ cpu: { cores: 6 }, disks: [{ name: 'root', size: '50G' }] }));
  const grown = { cpu: { cores: 6 }, disks: [{ name: 'root', size: '50G' }] };
  await print('power off', 1, all({ ...grown, power: 'stopped' }));
  await print('power on', 1, all(grown));
  await print(
    'clone (linked)',
    1,
    ids.map(id => bare(`c${id}`)),
  );
  await cluster.close();
}

const bare = (id: string): Json => ({ id, image: { template: 'ubuntu-22.04' }, power: 'stopped' });

async function memory(): Promise<void> {
  const cluster = await lab({ taskMs: 0 });
  const fleet = Array.from({ length: 1000 }, (_, index) => ({
    id: `m${index}`,
    image: { blank: true },
    memory: '64Mi',
    power: 'stopped',
    disks: [{ name: 'root', size: '1G', storage: 'shared' }],
  }));
  const state = desired(fleet);
  const errors = errorsOf(await cluster.run(state));
  if (errors.length > 0) throw new Error(errors[0]);
  cluster.events.length = 0;
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const started = performance.now();
  const endings = await cluster.run(state);
  const milliseconds = performance.now() - started;
  global.gc?.();
  const held = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  console.log(`\n${endings.length} machines observed and planned in one process: ${seconds(milliseconds)}, `);
  console.log(`${held.toFixed(1)} MiB of heap held for them (simulator in the same process).`);
  await cluster.close();
}

async function main(): Promise<void> {
  await operations();
  await memory();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

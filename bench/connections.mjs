// @ts-check
// What the number of requests at once (and so of TLS connections) costs: an apply that has nothing to do, and an
// observe of 100 machines. All variants run in turn; the simulator is another process.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startCluster } from './simulated-cluster.mjs';

const RUNS = Number(process.argv[2] ?? 15);
const LIMITS = [1, 2, 3, 4, 8, 16];
const OWNER = 'bench/connections';
/** @param {string} name */
const at = name => fileURLToPath(new URL(name, import.meta.url));
const machines = Array.from({ length: 100 }, (_, index) => ({
  id: `m${index}`,
  image: { blank: true },
  power: 'stopped',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
}));
/** @param {number} requests */
const cluster = requests => JSON.stringify({ name: 'lab', limits: { requests } });

/** @param {string[]} args @param {string} input @param {Record<string, string>} env */
function run(args, input, env) {
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', at('./processor-time.cjs'), at('../dist/reconciler.cjs'), ...args, '--quiet'],
    {
      input,
      env: { PATH: process.env.PATH, PVE_RUN: 'alone', ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stderr.slice(-2000)}`);
  return { wall: performance.now() - started, processor: Number(stderr.trim().split('\n').at(-1)) };
}

/** @param {number[]} values */
function shown(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return `${sorted[0]?.toFixed(0)} / ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)}`;
}

const { access, end } = await startCluster();
try {
  const state = {
    version: 1,
    owner: OWNER,
    cluster: { name: 'lab', limits: { tasksPerNode: 64 } },
    machines,
  };
  run(['reconcile', '--spec', '-'], JSON.stringify(state), access);
  /** @param {number} requests */
  const observe = requests => {
    const specs = machines.map(machine => [`spec.${machine.id}`, JSON.stringify(machine)]);
    const query = { protocol: '1', cluster: cluster(requests), owner: OWNER, ...Object.fromEntries(specs) };
    return run(['observe'], JSON.stringify(query), access);
  };
  /** @param {number} requests */
  const apply = requests =>
    run(['apply'], '', {
      ...access,
      PROXMOX_PROTOCOL: '1',
      PROXMOX_CLUSTER: cluster(requests),
      PROXMOX_OWNER: OWNER,
      PROXMOX_MACHINE: 'm0',
      PROXMOX_ENTRY: '',
      PROXMOX_TOKEN: '',
      PROXMOX_SPEC: JSON.stringify(machines[0]),
    });
  const works = { 'apply with nothing to do': apply, 'observe of 100 machines': observe };
  console.log(`least / median of ${RUNS} runs, in ms\n\n| what | at once | time | processor |`);
  console.log('| --- | ---: | ---: | ---: |');
  for (const [name, work] of Object.entries(works)) {
    const rows = LIMITS.map(limit => ({ limit, runs: [work(limit)].slice(1) }));
    for (let turn = 0; turn < RUNS; turn += 1) rows.forEach(({ limit, runs }) => runs.push(work(limit)));
    for (const { limit, runs } of rows) {
      const wall = shown(runs.map(({ wall }) => wall));
      console.log(`| ${name} | ${limit} | ${wall} | ${shown(runs.map(({ processor }) => processor))} |`);
    }
  }
} finally {
  await end();
}

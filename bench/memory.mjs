// @ts-check
// The most memory that one process holds while it observes and plans 1,000 machines. The simulator is another process.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startCluster } from './simulated-cluster.mjs';

const MACHINES = 1000;
/** @param {string} name */
const at = name => fileURLToPath(new URL(name, import.meta.url));
const cluster = { name: 'lab', limits: { requests: 32, tasksPerNode: 64 } };
const machines = Array.from({ length: MACHINES }, (_, index) => ({
  id: `m${index}`,
  image: { blank: true },
  cpu: { cores: 2 },
  memory: '64Mi',
  power: 'stopped',
  tags: ['bench'],
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan', ipv4: 'dhcp' }],
}));
const state = JSON.stringify({ version: 1, owner: 'bench', cluster, machines });
const query = JSON.stringify({
  protocol: '1',
  cluster: JSON.stringify(cluster),
  owner: 'bench',
  ...Object.fromEntries(machines.map(machine => [`spec.${machine.id}`, JSON.stringify(machine)])),
});

/** Runs the reconciler with this input. @param {string[]} args @param {string} input @param {Record<string, string>} access */
function run(args, input, access) {
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', at('./peak-memory.cjs'), at('../dist/reconciler.cjs'), ...args],
    {
      input,
      env: { PATH: process.env.PATH, PVE_RUN: 'alone', ...access },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stderr.slice(-2000)}`);
  const kibibytes = Number(stderr.trim().split('\n').at(-1));
  return { mebibytes: kibibytes / 1024, seconds: (performance.now() - started) / 1000 };
}

const { access, end } = await startCluster();
try {
  /** @param {string} name @param {string[]} args @param {string} input */
  const print = (name, args, input) => {
    const { mebibytes, seconds } = run(args, input, access);
    console.log(`| ${name} | ${mebibytes.toFixed(0)} MiB | ${seconds.toFixed(1)} s |`);
  };
  console.log(`| ${MACHINES} machines | peak | time |\n| --- | ---: | ---: |`);
  print('plan, none is there', ['plan', '--spec', '-', '--quiet'], state);
  print('reconcile: creates all', ['reconcile', '--spec', '-', '--quiet'], state);
  print('observe, all are there', ['observe'], query);
  print('plan, all are there', ['plan', '--spec', '-', '--quiet'], state);
} finally {
  await end();
}

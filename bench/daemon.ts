/**
 * The daemon at rest: how long a round takes that changes nothing, what it holds, how much of a processor it needs.
 * The cluster is a process of its own. `npm run bench:daemon -- [machines] [nodes]`
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWNER, withCopies } from './copied-machines';
import { startCluster } from './simulated-cluster.mjs';

const [COUNT = 10_000, NODES = 32] = process.argv.slice(2).map(Number);
const ROUNDS = 2;
/** The most that the heap of the daemon may take; the unit of systemd says the same. */
const HEAP_MIB = 176;
const PROGRAM = 'dist/reconciler.cjs';
const folder = mkdtempSync(join(tmpdir(), 'bench-'));

function desiredFile(count: number): string {
  const machines = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    image: { blank: true },
    cpu: { cores: 2 },
    memory: '64Mi',
    tags: ['bench'],
    disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
    networks: [{ name: 'lan', ipv4: 'dhcp' }],
  }));
  const file = join(folder, `desired-${count}.json`);
  const cluster = { name: 'lab', limits: { requests: 32 } };
  writeFileSync(file, JSON.stringify({ version: 1, owner: OWNER, cluster, machines }));
  return file;
}

/** The file of a simulator's state with all machines: the program makes one, the others are copies of it. */
async function stateFile(): Promise<string> {
  const file = join(folder, 'state.json');
  const { access, end } = await startCluster(['--nodes', String(NODES), '--state', file]);
  const env = { PATH: process.env['PATH'], ...access };
  const args = [PROGRAM, 'reconcile', '--spec', desiredFile(1)];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  await end();
  if (status !== 0) throw new Error(`reconcile ended with ${status}:\n${stderr}`);
  const state = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...state, world: withCopies(state.world, COUNT, NODES) }));
  return file;
}

interface Daemon {
  child: ChildProcess;
  numbers: () => Promise<ReturnType<typeof numbersOf>>;
}

async function startDaemon(access: Record<string, string>): Promise<Daemon> {
  const file = desiredFile(COUNT);
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MIB}`, PROGRAM, 'run', '--spec', file],
    {
      env: {
        PATH: process.env['PATH'],
        ...access,
        LOG_FORMAT: 'json',
        METRICS_BIND_ADDRESS: '127.0.0.1:0',
        HEALTH_PROBE_BIND_ADDRESS: '0',
        STATUS_BIND_ADDRESS: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  for (;;) {
    const [, address] = /"address":"([^"]+)"/.exec(text) ?? [];
    if (child.exitCode !== null) throw new Error(text);
    if (address === undefined) await sleep(50);
    else
      return {
        child,
        numbers: async () => numbersOf(await (await fetch(`http://${address}/metrics`)).text()),
      };
  }
}

function numbersOf(text: string) {
  const lines = text.split('\n');
  const of = (name: string): number =>
    Number(lines.find(line => line.startsWith(`${name} `))?.split(' ')[1] ?? 0);
  const round = 'proxmox_operator_reconciliation_duration_seconds';
  return {
    at: performance.now() / 1000,
    rounds: of(`${round}_count{controller="cluster"}`),
    seconds: of(`${round}_sum{controller="cluster"}`),
    processor: of('process_cpu_seconds_total'),
    resident: of('process_resident_memory_bytes') / 2 ** 20,
  };
}

async function measure({ child, numbers }: Daemon): Promise<void> {
  const rounds = async (count: number) => {
    while ((await numbers()).rounds < count) await sleep(2_000);
    return numbers();
  };
  // the first round reads also what changes rarely: addresses and snapshots
  const before = await rounds(1);
  const after = await rounds(before.rounds + ROUNDS);
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  const count = after.rounds - before.rounds;
  const processor = after.processor - before.processor;
  const share = (processor / (after.at - before.at)) * 100;
  console.log(`${COUNT} machines, ${NODES} nodes, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log('| a round | processor a round | resident | at most | of one processor |');
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  const cells = [
    `${((after.seconds - before.seconds) / count).toFixed(1)} s`,
    `${(processor / count).toFixed(1)} s`,
    `${after.resident.toFixed(0)} MiB`,
    `${(Number(peak) / 1024).toFixed(0)} MiB`,
    `${share.toFixed(0)} %`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function main(): Promise<void> {
  const { access, end } = await startCluster(['--state', await stateFile()]);
  let daemon: Daemon | undefined;
  try {
    daemon = await startDaemon(access);
    await measure(daemon);
  } finally {
    daemon?.child.kill();
    await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();

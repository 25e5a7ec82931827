// @ts-check
// What it takes to synthesize many machines, from the start of the program: node scripts/build.mjs, then
// node bench/synth.mjs [machines]. It is measured in a process of its own, as a compiled app would run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNS = 5;
const MACHINES = Number(process.argv[2] ?? 1000);
const CHILD = '--child';

/** @param {number} index */
function propsOf(index) {
  const [high, low] = [Math.floor(index / 250), (index % 250) + 1];
  return {
    cpu: { cores: 4, sockets: 1, type: 'host' },
    memory: '8Gi',
    disks: [
      { name: 'root', size: '40G', storage: 'local-lvm', discard: true },
      { name: 'data', size: '100G', storage: 'local-lvm', ssd: true },
    ],
    networks: [
      { name: 'lan', vlan: 10, ipv4: { address: `10.0.${high}.${low}/16`, gateway: '10.0.255.254' } },
    ],
    tags: ['web', `rack-${index % 8}`],
    labels: { app: 'web', tier: `t${index % 4}` },
    cloudInit: { user: 'admin', dns: { servers: ['192.0.2.53'], search: ['example.com'] } },
    placement: { antiAffinity: [{ key: 'app', operator: 'In', values: ['web'], mode: 'soft' }] },
  };
}

/** One run, as a child: prints what it took. @param {string} outdir */
function synthesize(outdir) {
  const require = createRequire(import.meta.url);
  const { App, LocalBackend, TerraformStack } = require('cdktf');
  const { Image, Machine, ProxmoxCluster } = require(
    fileURLToPath(new URL('../dist/constructs/index.js', import.meta.url)),
  );
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'fleet');
  new LocalBackend(stack, { path: 'terraform.tfstate' });
  new ProxmoxCluster(stack, 'lab');
  const image = Image.fromTemplate('debian-13');
  for (let index = 0; index < MACHINES; index += 1) {
    new Machine(stack, `web-${index}`, { image, ...propsOf(index) });
  }
  app.synth();
  const { maxRSS } = process.resourceUsage();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ms: performance.now(), cpu: (user + system) / 1000, mib: maxRSS / 1024 }));
}

function run() {
  const outdir = mkdtempSync(path.join(tmpdir(), 'synth-'));
  const child = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), String(MACHINES), CHILD, outdir],
    {
      encoding: 'utf8',
    },
  );
  rmSync(outdir, { recursive: true, force: true });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout.trim().split('\n').at(-1) ?? '');
}

if (process.argv[3] === CHILD) synthesize(process.argv[4] ?? '');
else {
  const runs = Array.from({ length: RUNS }, run).sort((one, other) => one.ms - other.ms);
  /** @param {'ms' | 'cpu'} what */
  const seconds = what => runs.map(run => `${(run[what] / 1000).toFixed(2)} s`).join(', ');
  const most = Math.max(...runs.map(({ mib }) => mib)).toFixed(0);
  console.log(
    `${MACHINES} machines: ${seconds('ms')}; of the processor ${seconds('cpu')}; at most ${most} MiB`,
  );
}

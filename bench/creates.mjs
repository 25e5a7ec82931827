// @ts-check
// 50 clones, by Terraform with ten processes at once and by one process: node scripts/build.mjs, then
// node bench/creates.mjs [--machines 50]. Each on a new cluster with tasks of 500 ms. A create lasts from its clone to
// its start; the simulator's ledger tells both. Clones are told from each other by their order.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { get } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startCluster } from './simulated-cluster.mjs';

const { values } = parseArgs({ options: { machines: { type: 'string' } } });
const MACHINES = Number(values.machines ?? 50);
// as in terraform.mjs
delete process.env.NODE_EXTRA_CA_CERTS;
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const [engine] = JSON.parse(readFileSync(path.join(root, '.engine', 'engines.json'), 'utf8')).present;

/** @typedef {Record<string, string>} Access */
/** @typedef {{ at: number, ms: number, method: string, path: string }} Request */

const ids = Array.from({ length: MACHINES }, (_, index) => `web-${index}`);
const common = {
  ...{ cpu: { cores: 1 }, memory: '1Gi' },
  disks: [{ name: 'root', size: '12G' }],
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
};

/** @param {Access} access @param {string} folder */
function byTerraform(access, folder) {
  const { App, LocalBackend, TerraformStack } = require('cdktf');
  const { Image, Machine, ProxmoxCluster } = require(path.join(root, 'dist', 'constructs', 'index.js'));
  const outdir = path.join(folder, 'cdktf.out');
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'fleet');
  new LocalBackend(stack, { path: 'terraform.tfstate' });
  new ProxmoxCluster(stack, 'lab');
  for (const id of ids)
    new Machine(stack, id, { image: Image.fromTemplate('ubuntu-22.04'), ...structuredClone(common) });
  app.synth();
  const cwd = path.join(outdir, 'stacks', 'fleet');
  const env = { ...process.env, ...engine.env, ...access };
  const terraform = (/** @type {string[]} */ ...args) =>
    execFileSync(engine.path, [...args, '-no-color', '-input=false'], { cwd, env, stdio: 'pipe' });
  terraform('init');
  return () => void terraform('apply', '-auto-approve', '-parallelism=10');
}

/** @param {Access} access */
function byOneProcess(access) {
  const machines = ids.map(id => ({ id, image: { template: 'ubuntu-22.04' }, ...common }));
  const input = JSON.stringify({ version: 1, owner: 'bench', cluster: { name: 'lab' }, machines });
  const args = [path.join(root, 'dist', 'reconciler.cjs'), 'reconcile', '--spec', '-', '--quiet'];
  return () => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      ...{ input, encoding: 'utf8', env: { PATH: process.env.PATH, PVE_RUN: 'alone', ...access } },
    });
    if (status !== 0) throw new Error(`reconcile ended with ${status}:\n${stderr.slice(-2000)}`);
  };
}

/** @param {string} name @param {(access: Access, folder: string) => () => void} prepare */
async function measure(name, prepare) {
  const { access, end } = await startCluster(['--nodes', '3', '--task-ms', '500']);
  const folder = mkdtempSync(path.join(tmpdir(), 'creates-'));
  try {
    const run = prepare(access, folder);
    const started = performance.now();
    run();
    const seconds = (performance.now() - started) / 1000;
    /** @type {{ requests: Request[] }} */
    const { requests } = JSON.parse(await read(access, '/_sim/ledger'));
    const lasted = durations(requests).sort((one, other) => one - other);
    const at = (/** @type {number} */ share) =>
      ((lasted[Math.ceil(lasted.length * share) - 1] ?? 0) / 1000).toFixed(2);
    const load = loadavg()[0]?.toFixed(0);
    console.log(
      `| ${name} | ${lasted.length} | ${at(0.5)} s | ${at(0.95)} s | ${seconds.toFixed(1)} s | ${load} |`,
    );
  } finally {
    await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From each clone to the start of what it made, in ms. @param {Request[]} requests */
function durations(requests) {
  const clones = requests.filter(({ method, path: at }) => method === 'POST' && at.endsWith('/clone'));
  /** @type {Map<string, { first: number, started: number }>} */
  const guests = new Map();
  for (const { at, ms, method, path: where } of requests) {
    const vmid = /\/qemu\/(\d{5})\//.exec(where)?.[1];
    if (vmid === undefined) continue;
    const guest = guests.get(vmid) ?? { first: at, started: 0 };
    if (method === 'POST' && where.endsWith('/status/start')) guest.started = at + ms;
    guests.set(vmid, guest);
  }
  const made = [...guests.values()].sort((one, other) => one.first - other.first);
  return made.map(({ started }, index) => started - (clones[index]?.at ?? 0));
}

/** @param {Access} access @param {string} below @returns {Promise<string>} */
function read(access, below) {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(access['PVE_CA_BUNDLE'] ?? '');
    get(`${access['PVE_ENDPOINT']}${below}`, { ca, agent: false }, answer => {
      let told = '';
      answer.on('data', chunk => (told += chunk)).on('end', () => resolve(told));
    }).on('error', reject);
  });
}

console.log('| by | machines | P50 | P95 | in all | load |\n| --- | ---: | ---: | ---: | ---: | ---: |');
for (let round = 0; round < 2; round += 1) {
  await measure('one process', access => byOneProcess(access));
  await measure('terraform', byTerraform);
}

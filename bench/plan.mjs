// @ts-check
// What a plan without changes takes over Terraform's own time: node scripts/build.mjs, then
// node bench/plan.mjs [machines] [runs]. Beside it, in turn, the same resources of null without anything of ours.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { request } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MACHINES = Number(process.argv[2] ?? 100);
const RUNS = Number(process.argv[3] ?? 7);
// as in terraform.mjs
delete process.env.NODE_EXTRA_CA_CERTS;
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const [engine] = JSON.parse(readFileSync(path.join(root, '.engine', 'engines.json'), 'utf8')).present;
const folder = mkdtempSync(path.join(tmpdir(), 'plan-'));
const readyFile = path.join(folder, 'ready.json');
const simulator = spawn(process.execPath, [
  path.join(root, 'dist', 'simulator.cjs'),
  ...['--nodes', '3', '--task-ms', '10', '--ready-file', readyFile],
]);

try {
  await new Promise((resolve, reject) => {
    simulator.stdout.once('data', resolve);
    simulator.once('close', code => reject(new Error(`the simulator ended with ${code}`)));
  });
  const cluster = JSON.parse(readFileSync(readyFile, 'utf8'));
  const access = {
    PVE_ENDPOINT: cluster.url,
    PVE_CA_BUNDLE: cluster.caFile,
    PVE_TOKEN_ID: cluster.tokenId,
    PVE_TOKEN_SECRET: cluster.tokenSecret,
  };
  const ours = synthesized();
  const bare = withoutUs(ours);
  for (const place of [ours, bare]) {
    terraform(place, access, 'init', '-input=false');
    terraform(place, access, 'apply', '-input=false', '-auto-approve');
  }
  await ledger(cluster, 'DELETE');
  plan(ours, access);
  const asked = JSON.parse(await ledger(cluster, 'GET')).requests.map(
    (/** @type {{ path: string }} */ line) => line.path,
  );
  /** @type {{ ours: number, bare: number }[]} */
  const pairs = Array.from({ length: RUNS }, () => ({ ours: plan(ours, access), bare: plan(bare, access) }));
  const over = pairs.map(pair => pair.ours - pair.bare);
  console.log(
    `${MACHINES} machines, ${RUNS} runs each, load ${loadavg()[0]?.toFixed(0)}, ${engine.name} ${engine.version}`,
  );
  console.log(
    `with us ${spread(pairs.map(pair => pair.ours))}; without us ${spread(pairs.map(pair => pair.bare))}`,
  );
  console.log(`over Terraform's own time, run by run: ${spread(over)}`);
  console.log(`${asked.length} requests, ${asked.filter(isOfOne).length} of them for one machine alone`);
  console.log(
    `the others: ${[...new Set(asked.filter((/** @type {string} */ line) => !isOfOne(line)))].join(' ')}`,
  );
} finally {
  simulator.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} line */
function isOfOne(line) {
  return /\/qemu\/\d+\//.test(line);
}

function synthesized() {
  const { App, LocalBackend, TerraformStack } = require('cdktf');
  const { Image, Machine, ProxmoxCluster } = require(path.join(root, 'dist', 'constructs', 'index.js'));
  const app = new App({ outdir: path.join(folder, 'cdktf.out') });
  const stack = new TerraformStack(app, 'fleet');
  new LocalBackend(stack, { path: 'terraform.tfstate' });
  new ProxmoxCluster(stack, 'lab');
  for (let index = 0; index < MACHINES; index += 1) {
    const image = Image.blank();
    new Machine(stack, `web-${index}`, { image, power: 'stopped', memory: '1Gi', cpu: { cores: 2 } });
  }
  app.synth();
  return path.join(folder, 'cdktf.out', 'stacks', 'fleet');
}

/** As many resources with the same specs, and nothing that starts a program or reads another. @param {string} ours */
function withoutUs(ours) {
  const json = JSON.parse(readFileSync(path.join(ours, 'cdk.tf.json'), 'utf8'));
  delete json.data;
  delete json.check;
  const ids = Object.entries(json.locals).filter(([name]) => name.startsWith('ids_'));
  json.locals = Object.fromEntries(ids);
  for (const resource of Object.values(json.resource.null_resource)) {
    delete resource.provisioner;
    delete resource.lifecycle?.precondition;
    if (resource.triggers.token !== undefined)
      Object.assign(resource.triggers, { token: 'in sync', registry: 'one' });
  }
  const place = path.join(folder, 'bare');
  mkdirSync(place);
  writeFileSync(path.join(place, 'cdk.tf.json'), JSON.stringify(json));
  return place;
}

/** Milliseconds of a plan, which must show no changes. @param {string} place @param {Record<string, string>} access */
function plan(place, access) {
  const started = performance.now();
  terraform(place, access, 'plan', '-input=false', '-detailed-exitcode');
  return performance.now() - started;
}

/** @param {string} cwd @param {Record<string, string>} access @param {string[]} args */
function terraform(cwd, access, ...args) {
  execFileSync(engine.path, args, {
    cwd,
    env: { ...process.env, ...engine.env, ...access },
    stdio: 'pipe',
    maxBuffer: 1 << 28,
  });
}

/** @param {{ url: string, caFile: string }} cluster @param {string} method @returns {Promise<string>} */
function ledger({ url, caFile }, method) {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/_sim/ledger`,
      { method, ca: readFileSync(caFile), agent: false },
      answer => {
        let text = '';
        answer.on('data', chunk => (text += chunk)).on('end', () => resolve(text));
      },
    );
    asked.on('error', reject).end();
  });
}

/** @param {number[]} values */
function spread(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const seconds = (/** @type {number | undefined} */ value) => `${((value ?? 0) / 1000).toFixed(2)} s`;
  return `median ${seconds(sorted[Math.floor(sorted.length / 2)])} (${seconds(sorted[0])} to ${seconds(sorted.at(-1))})`;
}

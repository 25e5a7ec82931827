// @ts-check
// Whole terraform commands over machines that each have a process of their own: node scripts/build.mjs, then
// node bench/terraform.mjs [--machines 40] [--nodes 3,32] [--task-ms 500] [--latency-ms 0] [--off 0] [--foreign 0] [--theirs FOLDER]
// Beside ours, in turn: as many null resources with an empty node script; and, where a folder is named, the machines
// that its HCL makes with another provider. That folder gets TF_VAR_machines, _tag, _memory, _endpoint, _token_id,
// _token_secret and _ca_file. The simulator counts the calls.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { request } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({
  options: {
    machines: text,
    nodes: text,
    'task-ms': text,
    'latency-ms': text,
    off: text,
    foreign: text,
    theirs: text,
  },
});
const MACHINES = Number(values.machines ?? 40);
const NODES = (values.nodes ?? '3,32').split(',').map(Number);
const TASK_MS = Number(values['task-ms'] ?? 500);
const LATENCY_MS = Number(values['latency-ms'] ?? 0);
/** So many of the machines are off, as their code says. */
const OFF = Number(values.off ?? 0);
const FOREIGN = Number(values.foreign ?? 0);
// where it is set, each start of node reads a file of certificates: 60 to 90 ms, forty times a step
delete process.env.NODE_EXTRA_CA_CERTS;
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const [engine] = JSON.parse(readFileSync(path.join(root, '.engine', 'engines.json'), 'utf8')).present;
/** Asking a task, and a node's list for all of its tasks. */
const POLLS = ['GET /nodes/{node}/tasks/{upid}/status', 'GET /nodes/{node}/tasks'];

/** @typedef {{ url: string, caFile: string, tokenId: string, tokenSecret: string }} Cluster */
/** @typedef {{ tag: string, memory: number }} Wanted */
/** @typedef {{ calls: number, polls: number, seconds: number, processor: number, routes: Record<string, number> }} Measured */
/** A stack that the steps run over. `prepare` makes it want something. @typedef {{ name: string, cwd: string, env: Record<string, string>, prepare: (wanted: Wanted) => void }} Stack */

/** Each step: what it is called, what is wanted, and the command. @type {[string, Wanted, string[]][]} */
const STEPS = [
  ['create', { tag: 'one', memory: 1024 }, ['apply', '-input=false', '-auto-approve']],
  ['plan, no change', { tag: 'one', memory: 1024 }, ['plan', '-input=false', '-detailed-exitcode']],
  ['tags of all', { tag: 'two', memory: 1024 }, ['apply', '-input=false', '-auto-approve']],
  ['memory of all', { tag: 'two', memory: 2048 }, ['apply', '-input=false', '-auto-approve']],
  ['destroy', { tag: 'two', memory: 2048 }, ['destroy', '-input=false', '-auto-approve']],
];

for (const nodes of NODES) await onCluster(nodes, measureAll);

/** @param {number} nodes @param {(cluster: Cluster, folder: string, nodes: number) => Promise<void>} work */
async function onCluster(nodes, work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'terraform-'));
  const readyFile = path.join(folder, 'ready.json');
  const sized = ['--nodes', String(nodes), '--guests', String(FOREIGN), '--task-ms', String(TASK_MS)];
  const slowed = ['--latency-ms', String(LATENCY_MS)];
  const simulator = spawn(process.execPath, [
    path.join(root, 'dist', 'simulator.cjs'),
    ...[...sized, ...slowed, '--ready-file', readyFile],
  ]);
  try {
    await new Promise((resolve, reject) => {
      simulator.stdout.once('data', resolve);
      simulator.once('close', code => reject(new Error(`the simulator ended with ${code}`)));
    });
    /** @type {Cluster} */
    const cluster = JSON.parse(readFileSync(readyFile, 'utf8'));
    if (FOREIGN > 0 || MACHINES > 60) await giveRoom(cluster);
    await work(cluster, folder, nodes);
  } finally {
    simulator.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nodes of the usual size have no memory for so many, nor for ours beside guests of others. @param {Cluster} cluster */
async function giveRoom(cluster) {
  /** @type {{ nodes: { memory: number }[] }} */
  const world = JSON.parse(await control(cluster, 'GET', '/world?form=file'));
  for (const node of world.nodes) node.memory = 4 * 1024 ** 4;
  await control(cluster, 'POST', '/reset', JSON.stringify(world));
}

/** @param {Cluster} cluster @param {string} folder @param {number} nodes */
async function measureAll(cluster, folder, nodes) {
  const stacks = [ours(cluster, folder), bare(folder)];
  if (values.theirs !== undefined) stacks.push(theirs(cluster, folder, values.theirs));
  for (const stack of stacks) {
    stack.prepare({ tag: 'one', memory: 1024 });
    terraform(stack, ['init', '-input=false']);
  }
  const load = loadavg()[0]?.toFixed(0);
  console.log(
    `\n${MACHINES} machines (${OFF} off), ${nodes} nodes, ${FOREIGN} guests of others, tasks of ${TASK_MS} ms, load ${load}, ` +
      `${engine.name} ${engine.version}\n\n${row('step', 'of', 'calls', 'polls', 'time', 'processor')}`,
  );
  console.log(row('---', '---', '---:', '---:', '---:', '---:'));
  for (const [step, wanted, command] of STEPS) {
    for (const stack of stacks) {
      stack.prepare(wanted);
      const { calls, polls, seconds, processor, routes } = await measured(cluster, stack, command);
      const each = (/** @type {number} */ value) => (value / MACHINES).toFixed(1);
      console.log(
        row(
          step,
          stack.name,
          each(calls),
          each(polls),
          `${seconds.toFixed(1)} s`,
          `${processor.toFixed(1)} s`,
        ),
      );
      if (process.env['CALLS'] !== undefined && calls > 0) console.error(step, stack.name, routes);
    }
  }
}

/** @param {...string} cells */
function row(...cells) {
  return `| ${cells.join(' | ')} |`;
}

/** @param {Cluster} cluster @param {Stack} stack @param {string[]} command @returns {Promise<Measured>} */
async function measured(cluster, stack, command) {
  await control(cluster, 'DELETE', '/ledger');
  const [started, processor] = [performance.now(), processorSeconds()];
  terraform(stack, command);
  const seconds = (performance.now() - started) / 1000;
  const used = processorSeconds() - processor;
  /** @type {{ total: { requests: number }, routes: Record<string, { requests: number }> }} */
  const told = JSON.parse(await control(cluster, 'GET', '/ledger/counts'));
  const polls = POLLS.reduce((sum, route) => sum + (told.routes[route]?.requests ?? 0), 0);
  const routes = Object.fromEntries(
    Object.entries(told.routes).map(([route, { requests }]) => [route, requests]),
  );
  return { calls: told.total.requests - polls, polls, seconds, processor: used, routes };
}

/** What the processor did so far for our children that have ended, and for theirs: Linux tells (proc(5), cutime, cstime). */
function processorSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** @param {Stack} stack @param {string[]} args */
function terraform({ cwd, env }, args) {
  try {
    execFileSync(engine.path, [...args, '-no-color'], {
      cwd,
      env: { ...process.env, ...engine.env, ...env },
      stdio: 'pipe',
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: Buffer, stderr?: Buffer }} */ (error);
    throw new Error(`terraform ${args.join(' ')} in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}

/** @param {Cluster} cluster @param {string} folder @returns {Stack} */
function ours(cluster, folder) {
  const { App, LocalBackend, TerraformStack } = require('cdktf');
  const { Image, Machine, ProxmoxCluster } = require(path.join(root, 'dist', 'constructs', 'index.js'));
  const outdir = path.join(folder, 'cdktf.out');
  return {
    name: 'ours',
    cwd: path.join(outdir, 'stacks', 'fleet'),
    env: {
      PVE_ENDPOINT: cluster.url,
      PVE_CA_BUNDLE: cluster.caFile,
      PVE_TOKEN_ID: cluster.tokenId,
      PVE_TOKEN_SECRET: cluster.tokenSecret,
    },
    prepare: ({ tag, memory }) => {
      const app = new App({ outdir });
      const stack = new TerraformStack(app, 'fleet');
      new LocalBackend(stack, { path: 'terraform.tfstate' });
      new ProxmoxCluster(stack, 'lab');
      for (let index = 0; index < MACHINES; index += 1) {
        new Machine(stack, `web-${index}`, {
          image: Image.fromTemplate('ubuntu-22.04'),
          ...{ cpu: { cores: 1 }, memory: `${memory}Mi`, tags: [tag] },
          disks: [{ name: 'root', size: '12G' }],
          networks: [{ name: 'lan', bridge: 'vmbr0' }],
          ...(index < OFF && { power: 'stopped' }),
        });
      }
      app.synth();
    },
  };
}

/** As many resources that each start a program which does nothing, at their creation and their end. @param {string} folder @returns {Stack} */
function bare(folder) {
  const cwd = path.join(folder, 'bare');
  mkdirSync(cwd);
  const program = path.join(cwd, 'empty.js');
  writeFileSync(program, '');
  const starts = { interpreter: [process.execPath], command: program };
  return {
    name: 'empty programs',
    cwd,
    env: {},
    prepare: ({ tag, memory }) => {
      const registry = {
        for_each: idsOfAll(),
        provisioner: [{ 'local-exec': { when: 'destroy', ...starts } }],
      };
      const revision = {
        for_each: idsOfAll(),
        triggers: { tag, memory: String(memory) },
        provisioner: [{ 'local-exec': starts }],
      };
      const json = { resource: { null_resource: { registry, revision } } };
      writeFileSync(path.join(cwd, 'main.tf.json'), JSON.stringify(json));
    },
  };
}

function idsOfAll() {
  const ids = Array.from({ length: MACHINES }, (_, index) => `"web-${index}"`);
  return `\${toset([${ids.join(',')}])}`;
}

/** @param {Cluster} cluster @param {string} folder @param {string} given @returns {Stack} */
function theirs(cluster, folder, given) {
  const cwd = path.join(folder, 'theirs');
  cpSync(given, cwd, { recursive: true });
  /** @type {Record<string, string>} */
  const env = {
    TF_VAR_machines: String(MACHINES),
    TF_VAR_endpoint: cluster.url,
    TF_VAR_ca_file: cluster.caFile,
    TF_VAR_token_id: cluster.tokenId,
    TF_VAR_token_secret: cluster.tokenSecret,
  };
  const prepare = (/** @type {Wanted} */ { tag, memory }) =>
    void Object.assign(env, { TF_VAR_tag: tag, TF_VAR_memory: String(memory) });
  return { name: path.basename(given), cwd, env, prepare };
}

/** @param {Cluster} cluster @param {string} method @param {string} below @param {string} [body] @returns {Promise<string>} */
function control({ url, caFile }, method, below, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(
      `${url}/_sim${below}`,
      { method, headers, ca: readFileSync(caFile), agent: false },
      answer => {
        let told = '';
        const end = () =>
          answer.statusCode === 200 ? resolve(told) : reject(new Error(`${below}: ${told}`));
        answer.on('data', chunk => (told += chunk)).on('end', end);
      },
    );
    asked.on('error', reject).end(body);
  });
}

// @ts-check
// Where the time of one `terraform apply` goes that makes machines: node scripts/build.mjs, then
// node bench/profile.mjs [--machines 40] [--task-ms 500] [--latency-ms 0] [--picture FILE.svg]. Prints a table; the
// picture has a line for each machine. The simulator's ledger tells both.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { request } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startCluster } from './simulated-cluster.mjs';

const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({
  options: { machines: text, 'task-ms': text, 'latency-ms': text, picture: text },
});
const MACHINES = Number(values.machines ?? 40);
const TASK_MS = Number(values['task-ms'] ?? 500);
const LATENCY_MS = values['latency-ms'] ?? '0';
// as in terraform.mjs
delete process.env.NODE_EXTRA_CA_CERTS;
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const [engine] = JSON.parse(readFileSync(path.join(root, '.engine', 'engines.json'), 'utf8')).present;

/** @typedef {{ at: number, ms: number, method: string, path: string }} Request */
/** A part of the way of one machine, in ms since the command began. @typedef {{ kind: string, from: number, to: number }} Part */

const { access, end } = await startCluster([
  ...['--nodes', '3', '--task-ms', String(TASK_MS), '--latency-ms', LATENCY_MS],
]);
const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
try {
  const apply = prepared();
  // the simulator's clock, where the command begins and ends
  await ask('/api2/json/version');
  apply();
  await ask('/api2/json/version');
  /** @type {{ requests: Request[] }} */
  const { requests } = JSON.parse(await ask('/_sim/ledger'));
  const [began, ended] = [requests[0]?.at ?? 0, requests.at(-1)?.at ?? 0];
  const own = requests.slice(1, -1).map(one => ({ ...one, at: one.at - began }));
  const machines = partsOfAll(own);
  tell(own, machines, ended - began);
  if (values.picture !== undefined) writeFileSync(values.picture, picture(machines, ended - began));
} finally {
  await end();
  rmSync(folder, { recursive: true, force: true });
}

function prepared() {
  const { App, LocalBackend, TerraformStack } = require('cdktf');
  const { Image, Machine, ProxmoxCluster } = require(path.join(root, 'dist', 'constructs', 'index.js'));
  const outdir = path.join(folder, 'cdktf.out');
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'fleet');
  new LocalBackend(stack, { path: 'terraform.tfstate' });
  new ProxmoxCluster(stack, 'lab');
  for (let n = 0; n < MACHINES; n += 1)
    new Machine(stack, `web-${n}`, {
      ...{ image: Image.fromTemplate('ubuntu-22.04'), cpu: { cores: 1 }, memory: '1Gi' },
      disks: [{ name: 'root', size: '12G' }],
      networks: [{ name: 'lan', bridge: 'vmbr0' }],
    });
  app.synth();
  const cwd = path.join(outdir, 'stacks', 'fleet');
  const env = { ...process.env, ...engine.env, ...access };
  const terraform = (/** @type {string[]} */ ...args) =>
    void execFileSync(engine.path, [...args, '-no-color', '-input=false'], { cwd, env, stdio: 'pipe' });
  terraform('init');
  return () => terraform('apply', '-auto-approve');
}

/** The parts of each machine, the first that began first. Clones name their source alone: they are told by their order. @param {Request[]} requests */
function partsOfAll(requests) {
  const clones = requests.filter(({ method, path: at }) => method === 'POST' && at.endsWith('/clone'));
  /** @type {Map<string, Request[]>} */
  const byGuest = new Map();
  for (const one of requests) {
    const vmid = /\/qemu\/(\d{5})\/|:(?:resize|qmstart):(\d{5}):/.exec(decodeURIComponent(one.path));
    const id = vmid?.[1] ?? vmid?.[2];
    if (id !== undefined) byGuest.set(id, [...(byGuest.get(id) ?? []), one]);
  }
  const guests = [...byGuest.values()].sort((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0));
  return guests.map((own, n) => partsOf(own, clones[n]?.at ?? 0));
}

/** @param {Request[]} own @param {number} cloned @returns {Part[]} */
function partsOf(own, cloned) {
  const sent = (/** @type {string} */ below) =>
    own.find(one => one.method !== 'GET' && one.path.endsWith(below));
  const seen = (/** @type {string} */ kind) => {
    const last = own.findLast(({ path: at }) => decodeURIComponent(at).includes(`:${kind}:`));
    return last === undefined ? 0 : last.at + last.ms;
  };
  const first = own[0]?.at ?? 0;
  const [resize, start] = [sent('/resize')?.at ?? 0, sent('/status/start')?.at ?? 0];
  return [
    { kind: 'clone', from: cloned, to: first },
    { kind: 'write', from: first, to: resize },
    { kind: 'resize', from: resize, to: seen('resize') },
    { kind: 'read', from: seen('resize'), to: start },
    { kind: 'start', from: start, to: seen('qmstart') },
  ];
}

/** @param {Request[]} requests @param {Part[][]} machines @param {number} allMs */
function tell(requests, machines, allMs) {
  const firstAt = requests[0]?.at ?? 0;
  const ofParts = machines.flat();
  const [begin, stop] = [
    Math.min(...ofParts.map(({ from }) => from)),
    Math.max(...ofParts.map(({ to }) => to)),
  ];
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(2)} s`;
  const median = (/** @type {number[]} */ all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  console.log(
    `${MACHINES} machines, tasks of ${TASK_MS} ms, ${LATENCY_MS} ms a request, load ${loadavg()[0]?.toFixed(0)}\n`,
  );
  console.log('| what | time |\n| --- | ---: |');
  console.log(`| the command | ${seconds(allMs)} |`);
  console.log(`| until the first request (terraform, a start of node) | ${seconds(firstAt)} |`);
  console.log(`| until the first clone (the plan, and a start of node) | ${seconds(begin - firstAt)} |`);
  console.log(`| from the first clone to the last machine that runs | ${seconds(stop - begin)} |`);
  console.log(`| after that (terraform's end) | ${seconds(allMs - stop)} |`);
  for (const kind of ['clone', 'write', 'resize', 'read', 'start']) {
    const lasted = ofParts.filter(one => one.kind === kind).map(({ from, to }) => to - from);
    console.log(`| of a machine, median: ${kind} | ${seconds(median(lasted))} |`);
  }
}

/** @param {Part[][]} machines @param {number} allMs */
function picture(machines, allMs) {
  const [left, width, height] = [10, 900, 11];
  const x = (/** @type {number} */ ms) => left + (ms / allMs) * width;
  /** @type {Record<string, string>} */
  const colours = {
    clone: '#4c78a8',
    write: '#bab0ac',
    resize: '#f58518',
    read: '#bab0ac',
    start: '#54a24b',
  };
  const bars = machines.flatMap((parts, row) =>
    parts.map(
      ({ kind, from, to }) =>
        `<rect x="${x(from).toFixed(1)}" y="${30 + row * height}" width="${Math.max(0.5, x(to) - x(from)).toFixed(1)}" height="${height - 2}" fill="${colours[kind]}"/>`,
    ),
  );
  const bottom = 30 + machines.length * height;
  const ticks = Array.from({ length: Math.floor(allMs / 1000) + 1 }, (_, second) => {
    const at = x(second * 1000).toFixed(1);
    return `<path d="M${at} 26V${bottom}" stroke="#8884"/><text x="${at}" y="${bottom + 12}">${second} s</text>`;
  });
  const legend = ['clone', 'resize', 'start', 'write'].map(
    (kind, n) =>
      `<rect x="${left + n * 110}" y="6" width="10" height="10" fill="${colours[kind]}"/><text x="${left + n * 110 + 14}" y="15">${kind === 'write' ? 'reads, writes' : kind}</text>`,
  );
  const size = `width="${left * 2 + width}" height="${bottom + 20}"`;
  const style = '<style>text { font: 10px sans-serif; fill: #888 }</style>';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${style}${[...legend, ...ticks, ...bars].join('\n')}\n</svg>\n`;
}

/** @param {string} below @returns {Promise<string>} */
function ask(below) {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(access.PVE_CA_BUNDLE);
    const authorization = `PVEAPIToken=${access.PVE_TOKEN_ID}=${access.PVE_TOKEN_SECRET}`;
    const asked = request(
      `${access.PVE_ENDPOINT}${below}`,
      { ca, agent: false, headers: { authorization } },
      answer => {
        let told = '';
        answer.on('data', chunk => (told += chunk)).on('end', () => resolve(told));
      },
    );
    asked.on('error', reject).end();
  });
}

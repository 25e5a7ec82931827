// @ts-check
// Every table in one run, with the machine and the versions beside: npm run bench [-- --theirs bench/bpg] [--only daemon,review]
// Writes bench/latest/README.md and its pictures after each part; what other parts had measured stays. About an hour, on a
// machine with nothing else to do. RESULTS.md keeps what was measured on other days, and what it means.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { barsOf } from './bars.mjs';

const { values } = parseArgs({ options: { theirs: { type: 'string' }, only: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'bench', 'latest');
const theirs = values.theirs === undefined ? [] : ['--theirs', values.theirs];

/** @param {string} name @param {string[]} more */
const script = (name, ...more) => ['npm', 'run', '--silent', name, '--', ...more];
/** @param {string[]} more */
const terraform = (...more) => ['node', 'bench/terraform.mjs', '--machines', '40', ...more];

/** Each part: its name, what it shows, the command. @type {[name: string, title: string, command: string[]][]} */
const PARTS = [
  ['terraform', 'Whole commands of Terraform', terraform('--nodes', '3', ...theirs)],
  ['latency', 'The same at 30 ms a request', terraform('--nodes', '3', '--latency-ms', '30', ...theirs)],
  ['off', 'The same with machines that are off', terraform('--nodes', '3', '--off', '40')],
  ['large', 'The same on 32 nodes beside 2,000 guests', terraform('--nodes', '32', '--foreign', '2000')],
  ['one', 'One machine alone', ['node', 'bench/terraform.mjs', '--machines', '1', '--nodes', '3']],
  [
    'create',
    'Where a create spends its time',
    ['node', 'bench/profile.mjs', '--picture', 'bench/latest/create.svg'],
  ],
  ['creates', 'Creates by Terraform and by one process', ['node', 'bench/creates.mjs']],
  ['plan', 'A plan without changes', ['node', 'bench/plan.mjs', '40', '5']],
  ['start', 'Start-up', ['node', 'bench/start-up.mjs']],
  ['synth', 'Synthesis', ['node', 'bench/synth.mjs']],
  ['review', 'Review', ['node', 'bench/review.mjs']],
  ['memory', 'Memory', ['node', 'bench/memory.mjs']],
  ['placement', 'Placement', ['npx', 'tsx', 'bench/placement.ts']],
  ['connections', 'Requests at once', ['node', 'bench/connections.mjs', '6']],
  ['iso', 'Cloud-init data', ['npx', 'tsx', 'bench/data-iso.ts']],
  ['images', 'Machines of a disk image', ['npx', 'tsx', 'bench/images.ts']],
  ['reconciler', 'The reconciler by itself', script('bench:reconciler')],
  ['simulator', 'The simulator', script('bench:simulator')],
  ['simulator-start', 'The start of the simulator', script('bench:simulator-start')],
  ['daemon', 'The daemon, 10,000 machines', script('bench:daemon', '10000', '32')],
  [
    'kubernetes',
    'The daemon of a Kubernetes, 2,000 machines',
    script('bench:kubernetes', '2000', '20', '60'),
  ],
  ['shared', 'Several hosts that share clusters', script('bench:shared', '500')],
];

/** The parts with a picture beside. */
const PICTURED = ['terraform', 'create'];

const asked = values.only?.split(',') ?? PARTS.map(([name]) => name);
const unknown = asked.filter(name => !PARTS.some(([part]) => part === name));
if (unknown.length > 0)
  throw new Error(`no part is called ${unknown.join(', ')}: ${PARTS.map(([name]) => name).join(', ')}`);

mkdirSync(folder, { recursive: true });
const page = path.join(folder, 'README.md');
const there = existsSync(page) ? readFileSync(page, 'utf8') : '';
/** What stands there, by title. */
const sections = new Map(
  there
    .split(/^(?=## )/m)
    .slice(1)
    .map(text => [text.slice(3, text.indexOf('\n')), text.trim()]),
);

for (const [name, title, [program = '', ...args]] of PARTS.filter(([part]) => asked.includes(part))) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${title}`);
  const begun = performance.now();
  const load = loadavg()[0]?.toFixed(1);
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'pipe', 'inherit'];
  const { status, stdout } = spawnSync(program, args, { cwd: root, encoding: 'utf8', stdio });
  const isDone = status === 0;
  if (!isDone) process.exitCode = 1;
  if (isDone && name === 'terraform') writeFileSync(path.join(folder, 'terraform.svg'), barsOf(stdout));
  const command = [program, ...args].join(' ').replace('npm run --silent', 'npm run');
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  const text = [
    `## ${title}`,
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}: ${minutes} min, load ${load} before it.`,
    isDone ? shown(stdout.trim()) : `**It failed: ${status ?? 'it was ended'}.**`,
    ...(isDone && PICTURED.includes(name) ? [`![${title}](${name}.svg)`] : []),
  ];
  sections.set(title, text.join('\n\n'));
  const inOrder = PARTS.flatMap(([, each]) => sections.get(each) ?? []);
  writeFileSync(page, `${[heading(), ...inOrder].join('\n\n')}\n`);
}

/** Tables as they are, all else as text. @param {string} output */
function shown(output) {
  return /^\|/m.test(output) ? output : `\`\`\`text\n${output}\n\`\`\``;
}

function heading() {
  const { stdout: commit } = spawnSync('git', ['-C', root, 'log', '-1', '--format=%h of %cs'], {
    encoding: 'utf8',
  });
  const [engine] = JSON.parse(readFileSync(path.join(root, '.engine', 'engines.json'), 'utf8')).present;
  const [{ model = '' } = {}] = cpus();
  const machine = `${cpus().length} × ${model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release()}`;
  const versions = `node ${process.version}, ${engine.name} ${engine.version}, commit ${commit.trim()}`;
  return `# What was measured last\n\nBy \`npm run bench\`; [what it means](../RESULTS.md). ${machine}. ${versions}.`;
}

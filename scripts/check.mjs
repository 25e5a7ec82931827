// The checks that stay green at every commit, two at a time: format, types, lint, rooms, unused, unit tests.
import { spawn } from 'node:child_process';

const only = process.argv.slice(2);

/** @type {{name: string, command: string[], remedy: string}[]} */
const checks = [
  {
    name: 'lint',
    command: ['eslint', '--format', './scripts/lint-report.mjs', '.'],
    remedy: 'mend each line named above',
  },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], remedy: 'mend each line named above' },
  {
    name: 'format',
    command: ['prettier', '--check', '--log-level', 'warn', '.'],
    remedy: 'run: npm run format',
  },
  {
    name: 'rooms',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', '.'],
    remedy: 'each rule above says what the room may import',
  },
  { name: 'unused', command: ['knip'], remedy: 'delete what is unused, or use it' },
  {
    name: 'unit',
    command: ['jest', '--selectProjects', 'unit', '--passWithNoTests'],
    remedy: 'mend the tests named above',
  },
];

/** @param {{name: string, command: string[], remedy: string}} check */
function run(check) {
  return new Promise(resolve => {
    const started = Date.now();
    const [tool = '', ...args] = check.command;
    const child = spawn(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('close', code => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      if (code !== 0) process.stderr.write(`${output}\n`);
      console.log(
        `${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} ${seconds}s${code === 0 ? '' : ` — ${check.remedy}`}`,
      );
      resolve(code === 0);
    });
  });
}

const queue = checks.filter(check => only.length === 0 || only.includes(check.name));
let failed = 0;
async function worker() {
  for (let check = queue.shift(); check; check = queue.shift()) if (!(await run(check))) failed += 1;
}
await Promise.all([worker(), worker()]);
process.exitCode = failed === 0 ? 0 : 1;

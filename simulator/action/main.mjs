// Starts the simulator beside the job, and tells the steps that follow how to reach it.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** So long npx may fetch, and the program start. */
const PATIENCE_MS = 120_000;

/** @param {string} name */
const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
/** @param {string} file The variable that names a file of the runner. @param {Record<string, string>} values */
const tell = (file, values) =>
  appendFileSync(
    process.env[file] ?? '/dev/null',
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

const folder = mkdtempSync(path.join(process.env.RUNNER_TEMP ?? tmpdir(), 'pve-simulator-'));
const [ready, log] = [path.join(folder, 'ready.json'), path.join(folder, 'log')];
const program = input('program')
  ? [process.execPath, input('program')]
  : ['npx', '--yes', `pve-simulator@${input('version') || 'latest'}`];
const [command = '', ...args] = [...program, ...input('options').split(/\s+/).filter(Boolean)];

// of its own, with no stream of ours: this step ends, and the cluster stays
const out = openSync(log, 'a');
const child = spawn(command, [...args, '--ready-file', ready], {
  detached: true,
  stdio: ['ignore', out, out],
});
child.unref();
/** @type {string | undefined} */
let ended;
child.on('error', error => (ended = error.message));
child.on('exit', code => (ended = `exit ${code}`));

const until = Date.now() + PATIENCE_MS;
while (!existsSync(ready) && ended === undefined && Date.now() < until) await sleep(50);

if (existsSync(ready)) {
  const { url, caFile, tokenId, tokenSecret, password, pid } = JSON.parse(readFileSync(ready, 'utf8'));
  tell('GITHUB_ENV', {
    PVE_ENDPOINT: url,
    PVE_CA_BUNDLE: caFile,
    PVE_TOKEN_ID: tokenId,
    PVE_TOKEN_SECRET: tokenSecret,
  });
  tell('GITHUB_OUTPUT', {
    url,
    'ca-file': caFile,
    'token-id': tokenId,
    'token-secret': tokenSecret,
    password,
  });
  tell('GITHUB_STATE', { pid: String(pid), url });
  console.log(`Proxmox in memory: ${url}`);
  process.exit(0);
}
if (ended === undefined && child.pid !== undefined) process.kill(-child.pid);
const why = ended ?? `no answer within ${PATIENCE_MS / 1000} s`;
console.log(
  `::error::The simulator did not start (${why}): ${readFileSync(log, 'utf8').trim().slice(-1000)}`,
);
process.exit(1);

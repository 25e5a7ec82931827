// Starts the simulator beside the job, and tells the steps that follow how to reach it.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf } from './command.mjs';

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

/** @param {string} text What the runner shows as an error of the step. */
const failWith = text => {
  console.log(`::error::${text}`);
  process.exit(1);
};
/** Of a command of the runner: a line is a command. @param {string} text */
const asData = text => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const asked = () => {
  const inputs = { program: input('program'), version: input('version'), options: input('options') };
  try {
    return commandOf(inputs, { node: process.execPath, platform: process.platform });
  } catch (error) {
    return failWith(asData(`Nothing was started: ${error instanceof Error ? error.message : error}`));
  }
};

const { command, words, shell } = asked();
const folder = mkdtempSync(path.join(process.env.RUNNER_TEMP ?? tmpdir(), 'pve-simulator-'));
const [ready, log] = [path.join(folder, 'ready.json'), path.join(folder, 'log')];
// of its own, with no stream of ours: this step ends, and the cluster stays
const out = openSync(log, 'a');
const child = spawn(command, [...words, '--ready-file', shell ? `"${ready}"` : ready], {
  detached: true,
  shell,
  windowsHide: true,
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
  for (const secret of [password, tokenSecret]) console.log(`::add-mask::${asData(secret)}`);
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
if (ended === undefined && child.pid !== undefined) {
  // the group, where there are groups: npx is not the cluster
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid);
}
const why = ended ?? `no answer within ${PATIENCE_MS / 1000} s`;
const said = readFileSync(log, 'utf8').trim().slice(-1000);
failWith(asData(`The simulator did not start (${why}): ${said}`));

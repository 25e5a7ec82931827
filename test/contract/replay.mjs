// Replays the recordings from outside: node test/contract/replay.mjs [SEED…] -- [replay.py's options].
// Starts the program for each seed with the world of the recordings, runs replay.py on it, and ends it.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const recordings = join(here, 'recordings');
const files = readdirSync(recordings)
  .filter(name => /^[0-9a-z]\d-.*\.json$/.test(name))
  .sort()
  .map(name => join(recordings, name));
const program = process.env['PVE_SIMULATOR'] ?? join(here, '..', '..', 'dist', 'simulator.cjs');

const given = process.argv.slice(2);
const mark = given.includes('--') ? given.indexOf('--') : given.length;
const seeds = mark === 0 ? ['1', '2', '3', '4', '5'] : given.slice(0, mark);
const options = given.slice(mark + 1);

/** @param {string} seed */
async function startProgram(seed) {
  const world = join(recordings, 'world.json');
  const args = [program, '--world', world, '--port', '0', '--seed', seed, '--password', 'recorded'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error(`the simulator did not start: ${program}`);
}

/** @param {string} url @returns {Promise<{ code: number, summary: string }>} */
function replay(url) {
  const control = `${process.execPath} ${join(here, 'control.mjs')} ${url}`;
  const args = ['--endpoint', url, '--insecure', '--user', 'root@pam', '--password', 'recorded'];
  const script = join(recordings, 'replay.py');
  const all = [script, ...args, '--quiet', '--control', control, ...options, ...files];
  const child = spawn('python3', all, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? 1, summary: output.trimEnd() }));
  });
}

/** @param {string} seed */
async function tryOut(seed) {
  const { child, url } = await startProgram(seed);
  try {
    const { code, summary } = await replay(url);
    console.log(`seed ${seed}: ${summary}`);
    if (code !== 0) process.exitCode = 1;
  } finally {
    child.kill('SIGTERM');
  }
}

// each waits most of the time, as a real cluster does
await Promise.all(seeds.map(tryOut));

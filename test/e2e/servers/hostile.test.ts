import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIdentity } from '../../../simulator/wire/certificate';
import { desiredText, start } from '../../support/processes/cli';
import { ANSWERS, CONNECTIONS, hostileServer } from '../../support/api/hostile-servers';
import { inParallel } from '../../support/in-parallel';

const LIMIT_S = 3;
/** A slow machine is not a failure; a program that waits for ever is. */
const GUARD_MS = 200_000;
const MOST_KIB = 300 * 1024;

const web = { id: 'web', image: { blank: true }, power: 'stopped' };

interface Stood {
  kind: string;
  code: number | null;
  stderr: string;
  peakKiB: number;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  // Linux: the peak of this process alone; what getrusage tells is also of the process that started it
  const telling =
    "const fs = require('fs'); fs.writeFileSync(process.env.PEAK_FILE, fs.readFileSync('/proc/self/status'))";
  writeFileSync(join(folder, 'peak.cjs'), `process.on('exit', () => { ${telling} });`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program against one server; it is killed when it does not end. */
async function against(kind: string, server: { url: string }, ca: string): Promise<Stood> {
  const peak = join(folder, kind.replace(/\W/g, '-'));
  const env = {
    PVE_ENDPOINT: server.url,
    PVE_CA_BUNDLE: ca,
    PVE_TOKEN_ID: 'root@pam!lab',
    PVE_TOKEN_SECRET: 'a-secret-token',
    PVE_REQUEST_TIMEOUT: `${LIMIT_S}s`,
    NODE_OPTIONS: `--require=${join(folder, 'peak.cjs')}`,
    PEAK_FILE: peak,
  };
  const running = start(['reconcile', '--spec', '-', '--quiet'], env, desiredText([web]));
  const guard = setTimeout(() => running.child.kill('SIGKILL'), GUARD_MS);
  const { code, stderr } = await running.ended;
  clearTimeout(guard);
  return { kind, code, stderr, peakKiB: code === null ? Infinity : peakIn(readFileSync(peak, 'utf8')) };
}

function peakIn(status: string): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Infinity);
}

async function standAll(): Promise<Stood[]> {
  const identity = newIdentity([]);
  const kinds = [
    ...Object.entries(ANSWERS).map(([kind, answer]) => ({ kind, answer, speaks: identity })),
    ...Object.entries(CONNECTIONS).map(([kind, answer]) => ({ kind, answer, speaks: undefined })),
  ];
  const all: Stood[] = [];
  // most of them are waited for
  await inParallel(8, kinds, async ({ kind, answer, speaks }) => {
    const server = await hostileServer(answer, speaks);
    try {
      all.push(await against(kind, server, identity.ca));
    } finally {
      await server.close();
    }
  });
  return all;
}

test('a server that means no good: one error within the time limit, in one sentence, in little memory', async () => {
  const all = await standAll();
  expect(all.length).toBeGreaterThan(30);
  const wrong = all.filter(
    ({ code, stderr, peakKiB }) =>
      code !== 1 ||
      !/^ERROR: [^\n]*(?:Running again is safe|Nothing was decided on it)\.\n$/.test(stderr) ||
      /\n\s+at |a-secret-token|undefined|\[object/.test(stderr) ||
      stderr.length > 1_000 ||
      peakKiB > MOST_KIB,
  );
  expect(wrong).toEqual([]);
});

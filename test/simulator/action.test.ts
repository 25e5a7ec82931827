import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sendRaw } from '../support/api/raw-client';
import { SimulatorProgram } from '../support/api/simulator-program';

const ACTION = join(__dirname, '../../simulator/action');
const program = new SimulatorProgram();
const folder = mkdtempSync(join(tmpdir(), 'simulator-action-'));
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true });
});

const places = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STATE'] as const;
const told = (name: (typeof places)[number]): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(/=(.*)/s).slice(0, 2)),
  );
beforeEach(() => places.forEach(name => writeFileSync(join(folder, name), '')));

/** Runs a part of the action as a runner does. */
function step(file: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const files = Object.fromEntries(places.map(name => [name, join(folder, name)]));
  const all = { ...process.env, ...files, RUNNER_TEMP: folder, ...env };
  return new Promise(resolve =>
    execFile(process.execPath, [join(ACTION, file)], { env: all }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  );
}

test('it starts the cluster, tells the job how to reach it, and ends it', async () => {
  const started = await step('main.mjs', {
    INPUT_PROGRAM: program.path,
    INPUT_OPTIONS: ' --nodes 2  --seed 7 ',
  });
  expect(started).toEqual({ code: 0, output: expect.stringMatching(/^Proxmox in memory: https:.*\n$/) });
  const { PVE_ENDPOINT: url = '', PVE_TOKEN_ID: id, PVE_TOKEN_SECRET: secret } = told('GITHUB_ENV');
  expect(readFileSync(told('GITHUB_ENV')['PVE_CA_BUNDLE'] ?? '', 'utf8')).toContain('CERTIFICATE');
  const path = '/nodes';
  const headers = { authorization: `PVEAPIToken=${id}=${secret}` };
  const { text } = await sendRaw(`${url}/api2/json`, { method: 'GET', path, headers });
  expect(JSON.parse(text).data).toHaveLength(2);
  const { outputs } = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8')) as { outputs: object };
  expect(Object.keys(told('GITHUB_OUTPUT')).sort()).toEqual(Object.keys(outputs).sort());
  const { pid = '' } = told('GITHUB_STATE');
  expect(await step('post.mjs', { STATE_pid: pid, STATE_url: url })).toEqual({ code: 0, output: '' });
  await expect(sendRaw(url, { method: 'GET', path: '/_sim/health' })).rejects.toThrow();
});

test('a wrong option fails the step with the words of the program', async () => {
  const env = { INPUT_PROGRAM: program.path, INPUT_OPTIONS: '--nodez 2' };
  expect(await step('main.mjs', env)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^::error::The simulator did not start \(exit 2\): .*Did you mean --nodes\?/,
    ),
  });
});

test('a process that has the number of a cluster that is gone is left alone', async () => {
  const state = { STATE_pid: String(process.pid), STATE_url: 'https://127.0.0.1:9' };
  expect(await step('post.mjs', state)).toEqual({ code: 0, output: '' });
});

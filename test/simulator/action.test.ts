import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  const masked = [told('GITHUB_OUTPUT')['password'], told('GITHUB_OUTPUT')['token-secret']];
  expect(started).toEqual({
    code: 0,
    output: `${masked.map(secret => `::add-mask::${secret}\n`).join('')}Proxmox in memory: ${told('GITHUB_ENV')['PVE_ENDPOINT']}\n`,
  });
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

test.each([
  [{}, 'Nothing was started: program is missing'],
  [{ INPUT_VERSION: 'latest' }, "version: 'latest' is none"],
  [{ INPUT_VERSION: '0.1.0', INPUT_PROGRAM: 'x.cjs' }, 'program and version are both given'],
])('with the inputs %j nothing is fetched and the step fails', async (env, why) => {
  // an npx would be found in none of the folders
  const { code, output } = await step('main.mjs', { PATH: folder, ...env });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^::error::[^\n]*\n$/) });
  expect(output).toContain(why);
});

test('a version is taken by the npx of the system, and its shell gets plain words only', async () => {
  const script = `
    import { commandOf } from ${JSON.stringify(pathToFileURL(join(ACTION, 'command.mjs')).href)};
    const windows = { node: 'node.exe', platform: 'win32' };
    console.log(JSON.stringify(commandOf({ program: '', version: '0.1.0', options: '--nodes 2' }, windows)));
    commandOf({ program: '', version: '0.1.0', options: 'a&b' }, windows);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const words = ['--yes', 'pve-simulator@0.1.0', '--nodes', '2'];
  expect(JSON.parse(ran.stdout)).toEqual({ command: 'npx.cmd', words, shell: true });
  expect(ran.stderr).toContain("options: 'a&b' cannot be handed on");
});

test('a process that has the number of a cluster that is gone is left alone', async () => {
  const state = { STATE_pid: String(process.pid), STATE_url: 'https://127.0.0.1:9' };
  expect(await step('post.mjs', state)).toEqual({ code: 0, output: '' });
});

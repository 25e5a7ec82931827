import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { FakeGitHub } from './fake-github';

export const root = path.resolve(__dirname, '..', '..', '..');
export const plan = (name: string) => path.join(root, 'test/reconciler/review/plans', `${name}.json`);

interface Step {
  run?: string;
  env?: Record<string, string>;
}
const action = parse(readFileSync(path.join(root, 'review-action', 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default?: string }>;
  runs: { steps: Step[] };
};
const [review, , gate] = action.runs.steps;

export let github: FakeGitHub;
let api: string;
export let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'action '));
  github = new FakeGitHub();
  api = await github.start();
  writeFileSync(path.join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
});
afterEach(() => {
  github.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the line of a step in bash, as a runner does. */
function step(
  { run = '', env = {} }: Step,
  given: Record<string, string>,
): Promise<{ code: number; out: string }> {
  const all = { ...process.env, ...env, ...given };
  return new Promise(resolve => {
    execFile('bash', ['-eo', 'pipefail', '-c', run], { cwd: folder, env: all }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
    );
  });
}

/** The action, step by step, with these inputs; the others as action.yml says. */
export async function act(inputs: Record<string, string>, more: Record<string, string> = {}) {
  const valueOf = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
    );
  const files = ['output', 'summary'].map(name => path.join(folder, name));
  for (const file of files) writeFileSync(file, '');
  const [output = '', summary = ''] = files;
  const env = {
    ...Object.fromEntries(Object.entries(review?.env ?? {}).map(([name, text]) => [name, valueOf(text)])),
    ...{ REVIEW_TOKEN: 'token', REVIEW_PROGRAM: path.join(root, 'dist', 'reconciler.cjs') },
    ...{
      GITHUB_ACTION_PATH: path.join(root, 'review-action'),
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'o/r',
    },
    ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_RUN_ID: '1', RUNNER_TEMP: folder },
    ...{ GITHUB_EVENT_PATH: path.join(folder, 'event.json'), GITHUB_SERVER_URL: 'https://github.test' },
    ...more,
  };
  const ran = await step(review!, env);
  const outputs: Record<string, string> = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(/=(.*)/s, 2)),
  );
  const last = ran.code === 0 ? await step(gate!, { GATE: outputs['gate'] ?? '' }) : ran;
  return { ...ran, outputs, gate: last.code, summary: readFileSync(summary, 'utf8') };
}
export const SHA = '0123456789abcdef0123456789abcdef01234567';
export const web = (name: string, more = {}, env = {}) =>
  act({ stack: 'web', plan: plan(name), ...more }, { GITHUB_SHA: '', ...env });

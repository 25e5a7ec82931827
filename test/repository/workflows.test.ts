import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scripts } from '../../package.json';
import { skipped } from '../support/skipped';
import { root, run } from './copied-tree';

interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  strategy?: { matrix: { part?: string[]; campaign?: string[] } };
  steps: { uses?: string; run?: string }[];
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, '.github', 'workflows');
const names = readdirSync(folder);
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8')) as Workflow;
const places = [
  ...names.map(name => join('.github', 'workflows', name)),
  '.github/actions/prepare/action.yml',
  'review-action/action.yml',
];

test.each(places)('%s pins each action by its commit, with the version beside it', place => {
  const used = readFileSync(join(root, place), 'utf8').match(/^.*\buses: (?!\.\/).*$/gm) ?? [];
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(line => !/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('an action has one version wherever it is used', () => {
  const lines = places.flatMap(place => readFileSync(join(root, place), 'utf8').match(/uses: \S+@.*/g) ?? []);
  const [actions, owners] = [new Set(lines), new Set(lines.map(line => /uses: ([^@]+)/.exec(line)?.[1]))];
  expect(actions.size).toBe(owners.size);
});

test.each(names)('%s may only read, unless a job says more; each job has an end', name => {
  const { permissions, jobs } = read(name);
  expect(permissions).toEqual({ contents: 'read' });
  const endless = Object.entries(jobs).filter(([, job]) => !((job['timeout-minutes'] ?? 0) > 0));
  expect(endless.map(([job]) => job)).toEqual([]);
});

test('only the jobs that publish may write, and only what they publish', () => {
  const may = names.flatMap(name =>
    Object.entries(read(name).jobs).flatMap(([job, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, how]) =>
        how === 'write' ? [`${name} ${job}: ${what}`] : [],
      ),
    ),
  );
  expect(may.sort()).toEqual([
    'nightly.yml code-scanning: security-events',
    'release.yml github: attestations',
    'release.yml github: contents',
    'release.yml github: id-token',
    'release.yml image: id-token',
    'release.yml image: packages',
    'release.yml npm: id-token',
  ]);
});

test('the parts of the gate are all suites of npm test, each shard once; the simulator has a job of its own', () => {
  const { projects } = jest.requireActual<{ projects: { displayName: string }[] }>('../../jest.config.cjs');
  const { jobs } = read('ci.yml');
  const own = JSON.stringify(jobs['simulator']?.steps).includes('.ci/run simulator') ? ['simulator'] : [];
  const parts = [...(jobs['test']?.strategy?.matrix.part ?? []), ...own];
  const suites = new Set(parts.map(part => part.split(' ')[0]));
  expect([...suites].sort()).toEqual(['checks', ...projects.map(({ displayName }) => displayName)].sort());
  for (const suite of suites) {
    const shards = parts.flatMap(part => (part.startsWith(`${suite} `) ? [part.split('=')[1] ?? ''] : []));
    const count = Number(shards[0]?.split('/')[1] ?? 0);
    expect(shards).toEqual(Array.from({ length: count }, (_, index) => `${index + 1}/${count}`));
  }
});

test('each script that a workflow runs by npm is there', () => {
  const lines = names.flatMap(name =>
    Object.values(read(name).jobs).flatMap(({ steps, strategy }) => [
      ...steps.flatMap(({ run: line = '' }) =>
        [...line.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script),
      ),
      ...(strategy?.matrix.campaign ?? []).map(line => line.split(' ')[0] ?? ''),
    ]),
  );
  expect(lines.filter(line => !(line in scripts))).toEqual([]);
});

test('npm run test:all has nothing that the night leaves out', () => {
  const { jobs } = read('nightly.yml');
  const nightly = JSON.stringify(jobs);
  const parts = [...scripts['test:all'].matchAll(/(test:campaign[\w:]*)|\b([A-Z_]+)=/g)].map(
    ([, a, b]) => a ?? b ?? '',
  );
  expect(parts.length).toBeGreaterThan(8);
  expect(parts.filter(part => !nightly.includes(`"${part}`))).toEqual([]);
});

const actionlint = process.env['ACTIONLINT'] ?? 'actionlint';
if (spawnSync(actionlint, ['-version']).status !== 0)
  skipped(
    'actionlint finds nothing',
    'actionlint is not here: go install github.com/rhysd/actionlint/cmd/actionlint',
  );
else
  test('actionlint finds nothing', async () => {
    expect(await run(root, actionlint, '-no-color')).toMatchObject({ code: 0, output: '' });
  });

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SmallClone } from './copied-scripts';

let clone: SmallClone;
beforeEach(() => (clone = new SmallClone()));
afterEach(() => clone.remove());

const dependencies = ['scripts/setup.mjs', 'dependencies'];
const done = /dependencies: done/g;

test('a step is done once, and again when what it depends on changed or its output is gone', async () => {
  expect((await clone.run(dependencies)).stderr).toMatch(done);
  expect(existsSync(clone.at('node_modules', 'local'))).toBe(true);

  const second = await clone.run(dependencies);
  expect(second.code).toBe(0);
  expect(second.stderr).toMatch(/^set-up: all in place \([\d.]+ s\)\n$/);

  clone.writeLock('1.0.1');
  expect((await clone.run(dependencies)).stderr).toMatch(done);

  rmSync(clone.at('node_modules'), { recursive: true });
  expect((await clone.run(dependencies)).stderr).toMatch(done);
});

test('a step that failed is done again, and says where its output is', async () => {
  clone.write('package-lock.json', '{}');
  const first = await clone.run(dependencies);
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('set-up stopped: npm ci failed (all of its output:');
  expect((await clone.run(dependencies)).code).toBe(1);

  clone.writeLock('1.0.0');
  expect((await clone.run(dependencies)).stderr).toMatch(done);
});

test('four at once do the work once', async () => {
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => clone.run(dependencies)));
  expect(outcomes.map(outcome => outcome.code)).toEqual([0, 0, 0, 0]);
  expect(
    outcomes
      .map(outcome => outcome.stderr)
      .join('')
      .match(done),
  ).toHaveLength(1);
});

describe('one sentence and no stack when something is missing:', () => {
  async function stopsWith(part: string, env: NodeJS.ProcessEnv): Promise<string> {
    mkdirSync(clone.at('bin'), { recursive: true });
    const outcome = await clone.run(['scripts/setup.mjs', part], { PATH: clone.at('bin'), ...env });
    expect(outcome.code).toBe(1);
    const last = outcome.stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(last).toMatch(/^set-up stopped: .*run the same command again\.$/);
    expect(outcome.stderr).not.toContain('    at ');
    return last;
  }
  const engineThatCannotInstall = [
    '#!/bin/sh',
    'if [ "$1" = version ]; then echo \'{"terraform_version":"1.11.4","platform":"linux_amd64"}\'; exit 0; fi',
    'echo "dial tcp: lookup registry: no such host" >&2; exit 1',
  ].join('\n');

  test('npm', async () => {
    expect(await stopsWith('dependencies', {})).toContain('npm is not on PATH');
  });
  test('an engine, and Go to build one', async () => {
    expect(await stopsWith('engine', {})).toContain(
      'there is no terraform and no tofu on PATH, and no Go to build OpenTofu with: install Terraform (',
    );
  });
  test('the registry, and Go to build the providers', async () => {
    clone.writeProgram('bin/terraform', engineThatCannotInstall);
    expect(await stopsWith('engine', {})).toContain(
      'the null and external providers are neither in reach at registry.terraform.io nor, without Go, can they be built',
    );
  });
  test('Go, where OpenTofu is asked for', async () => {
    clone.writeProgram('bin/terraform', engineThatCannotInstall);
    expect(await stopsWith('engine', { ENGINE_WITH_TOFU: '1' })).toContain(
      'ENGINE_WITH_TOFU=1 asks for OpenTofu',
    );
  });
  test('an engine that works', async () => {
    clone.writeProgram('bin/terraform', '#!/bin/sh\nexit 1\n');
    clone.writeProgram('bin/go', '#!/bin/sh\nexit 0\n');
    expect(await stopsWith('engine', {})).toContain('put a terraform that works on PATH');
  });
});

test('providers come from their registry where an engine can install them, and Go is not asked for', async () => {
  const installed = '.terraform/providers/registry.terraform.io/hashicorp';
  clone.writeProgram(
    'bin/terraform',
    [
      '#!/bin/sh',
      'if [ "$1" = version ]; then echo \'{"terraform_version":"1.11.4","platform":"linux_amd64"}\'; exit 0; fi',
      `/bin/mkdir -p ${installed}/null/3.2.4 ${installed}/external/2.4.0`,
    ].join('\n'),
  );
  const outcome = await clone.run(['scripts/setup.mjs', 'engine'], { PATH: clone.at('bin') });
  expect(outcome.code).toBe(0);
  const mirror = clone.at('.engine', 'mirror', 'registry.terraform.io', 'hashicorp');
  expect(readdirSync(mirror).sort()).toEqual(['external', 'null']);
  const { present } = JSON.parse(readFileSync(clone.at('.engine', 'engines.json'), 'utf8'));
  expect(present).toMatchObject([
    { name: 'terraform', path: clone.at('bin', 'terraform'), version: '1.11.4' },
  ]);
});

test('an unknown part is named, with those there are', async () => {
  const outcome = await clone.run(['scripts/setup.mjs', 'engin']);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toBe(
    'There is no part engin; there are: dependencies, build, engine, cdktf-cli, site, bpg, kubernetes, helm.\n',
  );
});

import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { root, run } from './copied-tree';

// The step of the workflow, with the real `npm view` and a registry on this machine; of `npm publish` its line is kept.
const VERSION = '9.9.0';
const packages = ['cdktf-proxmox', 'cdktn-proxmox', 'pve-simulator'];
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
  jobs: { npm: { steps: { run?: string }[] } };
};
const line = workflow.jobs.npm.steps.find(step => step.run?.includes('npm publish'))?.run ?? '';

let folder: string;
const published: Record<string, string> = {};
const registry = createServer((request, response) => {
  const name = (request.url ?? '').slice(1);
  const integrity = published[name];
  if (integrity === undefined) return response.writeHead(404).end('{}');
  const tarball = `http://127.0.0.1/${name}.tgz`;
  const manifest = { name, version: VERSION, dist: { integrity, tarball } };
  return response.end(
    JSON.stringify({ name, 'dist-tags': { latest: VERSION }, versions: { [VERSION]: manifest } }),
  );
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'publish '));
  await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve));
  for (const name of packages) writeFileSync(join(folder, `${name}-${VERSION}.tgz`), name);
  const npm = join(folder, 'npm');
  writeFileSync(
    npm,
    `#!/bin/bash\nif [ "$1" = publish ]; then echo "npm $*"; else PATH=\${PATH#*:} exec npm "$@"; fi\n`,
  );
  chmodSync(npm, 0o755);
});
beforeEach(() => {
  for (const name of Object.keys(published)) delete published[name];
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const integrityOf = (text: string) => `sha512-${createHash('sha512').update(text).digest('base64')}`;
const publish = () =>
  run(
    folder,
    'env',
    `PATH=${folder}${delimiter}${process.env['PATH'] ?? ''}`,
    `GITHUB_REF_NAME=v${VERSION}`,
    `npm_config_registry=http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    `npm_config_cache=${join(folder, 'cache')}`,
    ...['bash', '-eo', 'pipefail', '-c', line],
  );

test('what is not on npm is published', async () => {
  const { code, stdout } = await publish();
  expect({ code, lines: stdout.match(/^npm publish \S+/gm) }).toEqual({
    code: 0,
    lines: packages.map(name => `npm publish ./${name}-${VERSION}.tgz`),
  });
});

test('what an earlier try of the job published is left, and the rest is published', async () => {
  published['cdktf-proxmox'] = integrityOf('cdktf-proxmox');
  const { code, stdout } = await publish();
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('is published already') });
  expect(stdout.match(/^npm publish \S+/gm)).toEqual(
    packages.slice(1).map(name => `npm publish ./${name}-${VERSION}.tgz`),
  );
});

test('other bytes under this version fail the job, and nothing more is published', async () => {
  published['cdktf-proxmox'] = integrityOf('evil');
  const { code, output } = await publish();
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('::error::cdktf-proxmox@9.9.0'),
  });
  expect(output).not.toContain('npm publish');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../support/processes/cli';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string, mode = 0o644): string => {
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
};

const machines = [{ id: 'web' }, { id: 'web-2' }, { id: 'db' }];
const state = { version: 1, owner: 'team', cluster: { name: 'lab' }, machines };
const spec = file('desired.json', JSON.stringify(state));
const manifest = file(
  'front.yaml',
  `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: {name: front, labels: {cluster.vitistack.io/cluster-name: lab}}
spec: {template: ubuntu-22.04}
`,
);
// as the script finds it: by its name
const program = join(process.cwd(), 'dist', 'reconciler.cjs');
file('pve-reconciler', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, 0o755);
const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder };

let script: string;
beforeAll(async () => ({ stdout: script } = await run(['completion', 'bash'])));

/** What a real bash offers for a line; its last word is being written. */
function offered(line: string[]): string[] {
  const asks = `
COMP_WORDS=(pve-reconciler "$@"); COMP_CWORD=$#
_pve_reconciler; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script + asks, 'bash', ...line];
  return execFileSync('bash', args, { encoding: 'utf8', env }).trim().split('\n');
}

// the last ones: nothing is given, nothing can be read, or no machine follows
test.each<[line: string[], words: string[]]>([
  [
    ['power', 'stop', '--spec', spec, ''],
    ['db', 'web', 'web-2'],
  ],
  [
    ['power', 'stop', 'db', '--spec', '=', spec, 'w'],
    ['web', 'web-2'],
  ],
  [['status', '--spec', spec, 'd'], ['db']],
  [['destroy', '--manifests', manifest, ''], ['front']],
  [['snapshot', 'list', '--spec', spec, '--manifests', manifest, 'f'], ['front']],
  [['console', '--spec', '~/desired.json', 'd'], ['db']],
  [
    ['snapshot', '--spec', spec, 'list', 'w'],
    ['web', 'web-2'],
  ],
  [['status', '-o', 'wide', `--spec=${spec}`, 'd'], ['db']],
  [['console', 'web', '--spec', spec, ''], ['']],
  [['status', '--spec', '=', spec, 'web', ''], ['']],
  [['snapshot', 'revert', 'web', '--spec', spec, ''], ['']],
  [['console', ''], ['']],
  [['console', '--spec', '/no/such/file', ''], ['']],
  [['status', '--spec', file('bad.json', '{'), ''], ['']],
  [['plan', '--spec', spec, 'w'], ['']],
  [['status', '--spec', 'w'], ['']],
])('%j: %j', (line, words) => expect(offered(line)).toEqual(words));

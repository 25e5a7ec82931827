import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runLine } from '../walk/live';

const folder = mkdtempSync(path.join(tmpdir(), 'named-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['plan', 'run'])('%s of a relative place below a folder that is gone: one line', async verb => {
  const before = process.cwd();
  const gone = path.join(folder, 'gone');
  mkdirSync(gone);
  process.chdir(gone);
  rmdirSync(gone);
  try {
    const { code, said } = await runLine([verb, '--spec', 'd.yaml']);
    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringMatching(/^ERROR: the current folder is gone, .*\(cd\), or write paths .*\n$/),
    });
  } finally {
    process.chdir(before);
  }
});

const DESIRED = 'version: 1\nowner: o\ncluster: { name: lab }\nmachines: []\n';
const put = (files: Record<string, string>): void =>
  Object.entries(files).forEach(([name, text]) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  });
const REVIEWED =
  'review its plan (terraform plan -out=PLAN && terraform show -json PLAN | pve-reconciler review)';
const planOf = (name: string) => runLine(['plan', '--spec', path.join(folder, name)]);

describe('a folder that holds no synthesized stack: what is in it to be named', () => {
  put({
    'files/d.yaml': DESIRED,
    'files/desired.json': '{ "version": 1,\n "machines": [] }',
    'files/line.json': JSON.stringify({ version: 1, machines: [] }),
    'files/other.yaml': 'a: 1\n',
    'files/blank.yaml': '\n'.repeat(200_000),
    'chart/Chart.yaml': 'apiVersion: v2\nname: x\n',
    'manifests/web.yaml': 'apiVersion: vitistack.io/v1alpha1\nkind: Machine\n',
    'app/cdktf.json': '{}',
    'app/main.ts': '',
    'app/cdktf.out/stacks/web/proxmox/lab.json': '{}',
    'fresh/cdktf.json': '{}',
    'elsewhere/cdktf.json': '{ "app": "x", "output": "out/tf" }',
    'elsewhere/out/tf/stacks/web/proxmox/lab.json': '{}',
    'unmade/cdktf.json': '{ "output": "out/tf" }',
    'hcl/main.tf': '',
    'hcl/proxmox/main.tf': '',
    'empty/x': '',
  });

  test.each<[name: string, says: string]>([
    ['files', '(--spec ROOT/files/d.yaml, --spec ROOT/files/desired.json, --spec ROOT/files/line.json).'],
    ['manifests', 'Name the manifests in it (--manifests ROOT/manifests).'],
    ['app', 'Name its stack (--spec ROOT/app/cdktf.out/stacks/web).'],
    ['app/cdktf.out', 'Name its stack (--spec ROOT/app/cdktf.out/stacks/web).'],
    ['fresh', 'synthesize it, then name its stack (--spec ROOT/fresh/cdktf.out/stacks/NAME).'],
    ['elsewhere', 'Name its stack (--spec ROOT/elsewhere/out/tf/stacks/web).'],
    ['unmade', 'synthesize it, then name its stack (--spec ROOT/unmade/out/tf/stacks/NAME).'],
    ['hcl', `Terraform alone reads the .tf files in it: ${REVIEWED}.`],
    ['hcl/proxmox', `Terraform alone reads the .tf files in it: ${REVIEWED}.`],
    ['chart', "Name the stack's own folder, such as cdktf.out/stacks/web."],
    ['empty', "Name the stack's own folder, such as cdktf.out/stacks/web."],
  ])('%s', async (name, says) => {
    const { code, said } = await planOf(name);
    expect([code, said.trimEnd().split('\n')]).toEqual([
      2,
      [expect.stringContaining(says.replaceAll('ROOT', folder))],
    ]);
  });
});

const STATE = JSON.stringify({ version: 4, terraform_version: '1.9.0', lineage: 'x', resources: [] });
test.each<[name: string, text: string, says: RegExp]>([
  ['main.ts', "import { App } from 'cdktf';\nnew App();\n", /is a program\. Synthesize it, and name/],
  ['main.tf', 'module "x" {\n  source = "./y"\n}\n', /written for Terraform.*Run terraform plan there/],
  ['terraform.tfstate', STATE, /is a state of Terraform: .*Name a desired state/],
  ['state.json', STATE, /is a state of Terraform: .*Name a desired state/],
  ['plan.json', '{"format_version":"1.2","terraform_version":"1.9.0"}', /pve-reconciler review/],
  ['cdk.tf.json', '{"terraform":{}}', /gives Terraform\. Name its folder \(--spec \S*named-places-\w+\)\.$/],
  ['cdktf.json', '{"language":"typescript"}', /settings of an app\. Synthesize it/],
  ['empty.yaml', '', /is empty\. Write a desired state into it \(version, owner/],
])('%s is no desired state: one line says what it is, and what to give', async (name, text, says) => {
  put({ [name]: text });
  const { code, said } = await planOf(name);
  const lines = said.trimEnd().split('\n');
  expect([code, lines]).toEqual([2, [expect.stringMatching(says)]]);
});

describe('what Terraform alone reads is named, with the command that reads it', () => {
  put({ 'terraform/main.tf': 'resource "a" "b" {\n  c = 1\n}\n', 'states/d.yaml': DESIRED });

  test.each<[line: string, says: string]>([
    [
      'plan --manifests terraform/main.tf',
      'main.tf is written for Terraform, which alone reads it. Run terraform',
    ],
    ['plan --manifests terraform', `Terraform alone reads the .tf files in it: ${REVIEWED}.`],
    ['review terraform/main.tf', `main.tf is written for Terraform, which alone reads it: ${REVIEWED}.`],
    [
      'review --spec terraform/main.tf',
      `main.tf is written for Terraform, which alone reads it: ${REVIEWED}.`,
    ],
    ['review --spec terraform', `Terraform alone reads the .tf files in it: ${REVIEWED}.`],
    ['review --spec main.ts', 'main.ts is a program. Synthesize it'],
    [
      'review --spec states',
      'review reads no desired states and no manifests: give what is in it to pve-reconciler plan.',
    ],
  ])('%s', async (line, says) => {
    const words = line.split(' ');
    const { code, said } = await runLine([...words.slice(0, -1), path.join(folder, words.at(-1) ?? '')]);
    expect([code, said.trimEnd().split('\n')]).toEqual([2, [expect.stringContaining(says)]]);
  });
});

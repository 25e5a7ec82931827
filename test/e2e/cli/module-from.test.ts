import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, TerraformOutput, TerraformStack } from 'cdktf';
import { Resource } from '@cdktf/provider-null/lib/resource';
import { Image, Machine, ProxmoxCluster, RemovedCluster, Snapshot } from '../../../constructs';
import { start } from '../../support/processes/cli';

const folder = mkdtempSync(path.join(tmpdir(), 'module from '));
const place = path.join(folder, 'written');
const RECORD = '.pve-reconciler.from.json';
afterAll(() => rmSync(folder, { recursive: true }));
const write = (from: string, ...more: string[]) =>
  start(['module', '--from', from, '--out', place, ...more]).ended;

/** The folder of a stack, whose JSON may be changed. */
function synthesized(name: string, build: (stack: TerraformStack) => void): string {
  const app = new App({ outdir: path.join(folder, 'out') });
  const stack = new TerraformStack(app, name);
  build(stack);
  app.synth();
  return path.join(folder, 'out', 'stacks', name);
}
function stackOf(json: unknown): string {
  const there = mkdtempSync(path.join(folder, 'stack-'));
  writeFileSync(path.join(there, 'cdk.tf.json'), typeof json === 'string' ? json : JSON.stringify(json));
  return there;
}
const small = { image: Image.fromTemplate('ubuntu-22.04') };
const oneMachine = (stack: TerraformStack): Machine => {
  new ProxmoxCluster(stack, 'lab');
  return new Machine(stack, 'web', small);
};

test.each([
  ['no folder', () => path.join(folder, 'none'), 'there is no such folder'],
  ['a folder without a stack', () => mkdtempSync(path.join(folder, 'empty-')), 'has no cdk.tf.json'],
  ['no JSON', () => stackOf('{"a":'), 'cdk.tf.json'],
  ['JSON that is no stack', () => stackOf('[]'), 'not as cdktf writes a stack'],
  ['a stack of something else', () => stackOf({ resource: { aws_x: { a: {} } } }), 'holds no ProxmoxCluster'],
])('%s: refused, and nothing is written', async (_, from, says) => {
  const { code, stderr } = await write(from());
  expect([code, existsSync(place)]).toEqual([2, false]);
  expect(stderr).toContain(says);
  expect(stderr).toContain('Nothing was written');
});

test('a stack of another release is refused', async () => {
  const from = synthesized('older', oneMachine);
  const file = path.join(from, 'cdk.tf.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('"PROXMOX_PROTOCOL": "1"', '"PROXMOX_PROTOCOL": "0"'));
  const { code, stderr } = await write(from);
  expect([code, existsSync(place)]).toEqual([2, false]);
  expect(stderr).toContain('the stack speaks protocol 0');
});

test('what the module cannot do is named, and nothing is written', async () => {
  const from = synthesized('odd', stack => {
    const machine = oneMachine(stack);
    const setup = new Resource(stack, 'setup', { dependsOn: [machine] });
    new Snapshot(stack, 'clean', { machine, dependsOn: [setup] });
    new RemovedCluster(stack, 'gone');
    stack.addOverride('resource.null_resource.machine_lab_web.lifecycle.prevent_destroy', true);
  });
  const { code, stderr } = await write(from);
  expect([code, existsSync(place)]).toEqual([3, false]);
  for (const said of ['snapshot web.clean is taken after', 'machines_gone', 'prevent_destroy'])
    expect(stderr).toContain(said);
});

test('a folder that holds something is refused, and overwritten with --force; a stack never is', async () => {
  const from = synthesized('web', oneMachine);
  mkdirSync(place);
  writeFileSync(path.join(place, 'main.tf'), '# mine');
  expect(await write(from)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
  expect(await write(from, '--force')).toMatchObject({ code: 0 });
  expect(readdirSync(place).sort()).toEqual([RECORD, 'kept.tf.json', 'main.tf', 'moved.tf', 'proxmox']);
  expect(readdirSync(path.join(place, 'proxmox'))).toContain('cluster-of-stack.json');
  expect(readdirSync(folder).filter(name => name.startsWith('written'))).toEqual(['written']);
  const onItself = await start(['module', '--from', from, '--out', from, '--force']).ended;
  expect(onItself).toMatchObject({ code: 2, stderr: expect.stringContaining('holds a stack itself') });
});

describe('into a folder that an earlier run wrote', () => {
  const there = path.join(folder, 'again');
  const at = (...names: string[]): string => path.join(there, ...names);
  const writeThere = (from: string, ...more: string[]) =>
    start(['module', '--from', from, '--out', there, ...more]).ended;
  let from: string;
  beforeEach(async () => {
    rmSync(there, { recursive: true, force: true });
    from = synthesized('again', stack => {
      const web = oneMachine(stack);
      new TerraformOutput(stack, 'vmid', { value: web.vmid });
    });
    writeFileSync(path.join(from, 'terraform.tfvars'), 'a = 1\n');
    expect(await writeThere(from)).toMatchObject({ code: 0 });
  });

  test('what a person changed is named before it is overwritten; their variables stay', async () => {
    writeFileSync(at('main.tf'), '# edited');
    writeFileSync(at('terraform.tfvars'), 'a = 2\n');
    const refused = await writeThere(from);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('changed since: main.tf.') });
    expect(readFileSync(at('main.tf'), 'utf8')).toBe('# edited');
    const { code, stderr } = await writeThere(from, '--force');
    expect(code).toBe(0);
    expect(stderr).toContain('what is there stays, though the stack has another one: terraform.tfvars.');
    expect(readFileSync(at('main.tf'), 'utf8')).toContain('module "lab"');
    expect(readFileSync(at('terraform.tfvars'), 'utf8')).toBe('a = 2\n');
  });

  test('variables that nobody changed follow the stack; what is no part any more is named, each time', async () => {
    writeFileSync(path.join(from, 'terraform.tfvars'), 'a = 3\n');
    const without = synthesized('again', oneMachine);
    for (const _ of ['once', 'again']) {
      const { code, stderr } = await writeThere(without, '--force');
      expect(code).toBe(0);
      expect(stderr).toContain('no part of this one: outputs.tf. Terraform may read it');
    }
    expect(readFileSync(at('terraform.tfvars'), 'utf8')).toBe('a = 3\n');
    expect(existsSync(at('outputs.tf'))).toBe(true);
  });

  test.each([
    ['a link to a folder', 'proxmox', 'is a link, or no file', (name: string) => symlinkSync(folder, name)],
    ['a link to a file', 'moved.tf', 'is a link, or no file', (name: string) => symlinkSync('main.tf', name)],
    ['a folder', 'moved.tf', 'is a folder', (name: string) => mkdirSync(name)],
    ['a file', 'proxmox', 'is a file', (name: string) => writeFileSync(name, '')],
  ])('%s where something else belongs: refused before anything is written', async (_, name, says, put) => {
    rmSync(at(name), { recursive: true });
    put(at(name));
    writeFileSync(at('main.tf'), '# edited');
    const { code, stderr } = await writeThere(from, '--force');
    expect(code).toBe(2);
    expect(stderr).toContain(`${name} ${says}`);
    expect(stderr).toContain('Nothing was written');
    expect(readFileSync(at('main.tf'), 'utf8')).toBe('# edited');
    expect(readdirSync(folder).filter(one => one.startsWith('again'))).toEqual(['again']);
  });
});

test('what may hold secrets is named, and nobody else may read it who could not before', async () => {
  const from = synthesized('secret', stack => {
    oneMachine(stack);
    stack.addOverride('variable.key', { sensitive: true, default: 'x' });
  });
  writeFileSync(path.join(from, 'prod.auto.tfvars'), 'a = 1\n', { mode: 0o600 });
  chmodSync(path.join(from, 'cdk.tf.json'), 0o600);
  const out = path.join(folder, 'secret');
  const { code, stderr } = await start(['module', '--from', from, '--out', out]).ended;
  expect(code).toBe(0);
  expect(stderr).toContain('may hold passwords or keys, as in the stack: kept.tf.json, prod.auto.tfvars.');
  for (const name of ['kept.tf.json', 'main.tf', 'prod.auto.tfvars', 'proxmox/cluster-of-stack.json'])
    expect([name, statSync(path.join(out, name)).mode & 0o777]).toEqual([name, 0o600]);
});

test('a state in a file is found from behind a link, and a state that is not there is named', async () => {
  const from = synthesized('local', stack => {
    oneMachine(stack);
    stack.addOverride('terraform.backend.local.path', '../own.tfstate');
  });
  const state = path.join(path.dirname(from), 'own.tfstate');
  mkdirSync(path.join(folder, 'deep', 'down'), { recursive: true });
  symlinkSync(path.join('deep', 'down'), path.join(folder, 'link'));
  symlinkSync(from, path.join(folder, 'stack'));
  const out = path.join(folder, 'link', 'web');
  const writeOut = () =>
    start(['module', '--from', path.join(folder, 'stack'), '--out', out, '--force']).ended;
  expect((await writeOut()).stderr).toContain(`there is no state at ${state} yet`);
  writeFileSync(state, '{}');
  expect((await writeOut()).stderr).not.toContain('there is no state');
  const { terraform } = JSON.parse(readFileSync(path.join(out, 'kept.tf.json'), 'utf8'));
  // as the system walks it: path.join would not follow the link
  expect(readFileSync(`${out}/${terraform.backend.local.path}`, 'utf8')).toBe('{}');
});

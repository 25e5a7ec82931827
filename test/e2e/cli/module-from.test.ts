import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, RemovedCluster } from '../../../constructs';
import { start } from '../../support/processes/cli';

const folder = mkdtempSync(path.join(tmpdir(), 'module from '));
const place = path.join(folder, 'written');
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
    const web = oneMachine(stack);
    new Machine(stack, 'copy', { image: Image.fromMachine('web') });
    new Machine(stack, 'after', { ...small, dependsOn: [web] });
    new RemovedCluster(stack, 'gone');
    stack.addOverride('resource.null_resource.machine_lab_web.lifecycle.prevent_destroy', true);
  });
  const { code, stderr } = await write(from);
  expect([code, existsSync(place)]).toEqual([3, false]);
  for (const said of [
    'machine copy is made after',
    'machine after is made after',
    'machines_gone',
    'prevent_destroy',
  ])
    expect(stderr).toContain(said);
});

test('a folder that holds something is refused, and overwritten with --force; a stack never is', async () => {
  const from = synthesized('web', oneMachine);
  mkdirSync(place);
  writeFileSync(path.join(place, 'main.tf'), '# mine');
  expect(await write(from)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
  expect(await write(from, '--force')).toMatchObject({ code: 0 });
  expect(readdirSync(place).sort()).toEqual(['kept.tf.json', 'main.tf', 'moved.tf', 'proxmox']);
  expect(readdirSync(path.join(place, 'proxmox'))).toContain('cluster-of-stack.json');
  expect(readdirSync(folder).filter(name => name.startsWith('written'))).toEqual(['written']);
  const onItself = await start(['module', '--from', from, '--out', from, '--force']).ended;
  expect(onItself).toMatchObject({ code: 2, stderr: expect.stringContaining('holds a stack itself') });
});

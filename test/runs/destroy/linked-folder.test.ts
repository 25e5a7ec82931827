import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const folder = mkdtempSync(join(tmpdir(), 'linked folder '));
const at = (...names: string[]): string => join(folder, ...names);
const manifest = (name: string): string => `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${name} }
spec: { name: ${name}, node: pve1, memory: 536870912, powerState: "Off" }
`;

let cluster: Lab;
beforeAll(async () => {
  cluster = await lab();
  mkdirSync(at('machines', 'team'), { recursive: true });
  writeFileSync(at('machines', 'web.yaml'), manifest('web'));
  writeFileSync(at('machines', 'team', 'db.yaml'), manifest('db'));
  expect(await run('reconcile')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});
const run = (...words: string[]) =>
  runLine([...words, '--manifests', at('machines')], {
    ...programAccess(cluster.simulator),
    PROXMOX_DEFAULT_CLUSTER: 'lab',
  });
const names = () => Object.values(cluster.world.guests).map(({ config }) => config['name']);

test('machines of a folder that becomes a link have not left', async () => {
  renameSync(at('machines', 'team'), at('elsewhere'));
  symlinkSync(at('elsewhere'), at('machines', 'team'));
  expect(await run('gc', '--yes', '--count', '0')).toMatchObject({ code: 0, out: 'no orphan was found.\n' });
  expect((await run('plan')).out).toContain('2 in sync');
});

test('a folder that links lead to twice, or in a circle, is read once', async () => {
  symlinkSync(at('machines'), at('machines', 'again'));
  symlinkSync(at('machines', 'team'), at('machines', 'other'));
  expect((await run('plan')).out).toContain('2 in sync');
});

test('a link whose folder is gone holds up all: its machines have not left', async () => {
  renameSync(at('elsewhere'), at('away'));
  expect(await run('gc', '--yes', '--count', '1')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/machines\/other is not there\. It may lead to a folder/),
  });
  expect(names()).toEqual(expect.arrayContaining(['web', 'db']));
});

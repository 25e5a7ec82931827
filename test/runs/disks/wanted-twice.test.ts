import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';

const folder = mkdtempSync(join(tmpdir(), 'wanted twice '));
const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const data = { name: 'data', size: '1Gi', storage: 'local-lvm', onRemove: 'delete' };
const web = (...disks: Json[]): Json => ({
  ...{ id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped' },
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }, ...disks],
});
const state = (cluster: string, machine: Json, owner = 'team'): string =>
  JSON.stringify({ ...desiredJson([machine]), owner, cluster: { name: cluster } });
const whole = put('whole.json', state('lab', web(data)));
const asFar = put('far.json', state('far', web()));

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(await run('reconcile', '--spec', whole)).toMatchObject({ code: 0 });
  takeWrites(cluster.simulator);
});
afterEach(() => cluster.close());
afterAll(() => rmSync(folder, { recursive: true }));

/** The one cluster, by both of its names. */
const access = (): Record<string, string> => {
  const ways = Object.entries(programAccess(cluster.simulator));
  const named = ['PVE_LAB_', 'PVE_FAR_'].flatMap(prefix =>
    ways.map(([name, value]) => [name.replace('PVE_', prefix), value] as const),
  );
  return { ...Object.fromEntries(named), PVE_TASK_POLL_INTERVAL: '5ms', PROXMOX_DEFAULT_CLUSTER: 'lab' };
};
const run = (...words: string[]) => runLine(words, access());

test('one cluster by two names: no disk is deleted by one and made anew by the other', async () => {
  const ran = await run('reconcile', '--spec', whole, '--spec', asFar);
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(ran).toMatchObject({
    code: 2,
    said: expect.stringContaining(
      'machine web of team is wanted twice, as clusters lab and far, which have one endpoint: each would undo what the other does.',
    ),
  });
});

test('what is only read, or paused, under another name of the cluster is no contradiction', async () => {
  for (const mode of ['observe', 'paused'])
    expect(
      await run('plan', '--spec', whole, '--spec', put('read.json', state('far', { ...web(), mode }))),
    ).toMatchObject({ code: 0 });
});

test('an id of before counts, too; another machine, or another owner, does not', async () => {
  const renamed = put('renamed.json', state('far', { ...web(data), id: 'site', formerIds: ['web'] }));
  expect(await run('plan', '--spec', whole, '--spec', renamed)).toMatchObject({
    code: 2,
    said: expect.stringContaining('machine site of team is wanted twice'),
  });
  for (const other of [state('far', { ...web(), id: 'db' }), state('far', { ...web(), name: 'its' }, 'its')])
    expect(await run('plan', '--spec', whole, '--spec', put('other.json', other))).toMatchObject({ code: 0 });
});

test('beside manifests: refused, by the daemon before it begins, too', async () => {
  const manifest = put(
    'web.yaml',
    'apiVersion: vitistack.io/v1alpha1\nkind: Machine\nmetadata: { name: web }\nspec: { name: web, memory: 536870912 }\n',
  );
  const same = put('same.json', state('lab', web(data), 'manifests/lab/default'));
  for (const verb of ['reconcile', 'run'])
    expect(await run(verb, '--spec', same, '--manifests', manifest)).toMatchObject({
      code: 2,
      said: expect.stringContaining(
        'is wanted twice, by a desired state (--spec) and by manifests: each would',
      ),
    });
  expect(takeWrites(cluster.simulator)).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExistingOutputs } from '../../spec';
import type { World } from '../../simulator';
import { desiredText, run } from '../support/processes/cli';
import { existingLab, many, one, type ExistingLab, type Which } from '../support/runs/existing-lab';

let lab: ExistingLab;
afterEach(() => lab.close());

const open = async (change?: (made: World) => void): Promise<void> => void (lab = await existingLab(change));
const asked: ExistingLab['asked'] = (which, env) => lab.asked(which, env);

type Change = (made: World) => void;

test.each<[string, Which, Change, Partial<ExistingOutputs> | RegExp]>([
  ['moves', { vmid: 100 }, ({ guests }) => void (guests[100]!.node = 'pve1'), { vmid: 100, node: 'pve1' }],
  [
    'moves',
    { name: 'legacy-db' },
    ({ guests }) => void (guests[100]!.node = 'pve1'),
    { vmid: 100, node: 'pve1' },
  ],
  ['vanishes', { vmid: 100 }, ({ guests }) => void delete guests[100], /no virtual machine has vmid 100/],
  [
    'is renamed',
    { name: 'legacy-db' },
    ({ guests }) => void (guests[100]!.config['name'] = 'x'),
    /no virtual machine has name "legacy-db"/,
  ],
  [
    'loses its tag',
    { tag: 'prod' },
    ({ guests }) => void delete guests[100]!.config['tags'],
    /no virtual machine has tag "prod"/,
  ],
  [
    'becomes a template',
    { vmid: 100 },
    ({ guests }) => void Object.assign(guests[100]!.config, { template: '1' }),
    /There is template 100/,
  ],
])('a guest that %s after it was listed (%j) is looked for again', async (_, which, change, says) => {
  await open();
  lab.somebody.before(/^GET .*\/qemu\/100\/pending$/, () => Promise.resolve(change(lab.world)));
  const told = await asked(which);
  expect(lab.somebody.hasActed()).toBe(true);
  if (says instanceof RegExp) expect(told.problem).toMatch(says);
  else expect({ ...told, ...one(told) }).toMatchObject({ problem: '', ...says });
  expect(lab.writes()).toEqual([]);
});

test('a guest on a node that is down is named with its node', async () => {
  await open(made => void (made.nodes.find(({ name }) => name === 'pve3')!.online = false));
  for (const which of [{ vmid: 100 }, { tag: 'prod' }, { allWithTag: 'web' }])
    expect((await asked(which)).problem).toMatch(/^guest 100 .*on pve3 cannot be read: its node is down/);
  expect((await asked({ name: 'legacy-db' })).problem).toContain(
    'on nodes that are down are not known: pve3.',
  );
});

test('a name is not believed to be the only one where a guest lies on a node that is down', async () => {
  await open(made => {
    made.guests[205]!.node = 'pve2';
    made.nodes.find(({ name }) => name === 'pve2')!.online = false;
  });
  expect((await asked({ name: 'legacy-db' })).problem).toMatch(
    /^guest 100 \(legacy-db\) on pve3 has name "legacy-db", and others may have it, too: .* no name of guest 205 on pve2\. Give the vmid of the one that is meant, or bring the node back\. Reading again is safe/,
  );
  for (const which of [
    { vmid: 100, name: 'legacy-db' },
    { name: 'legacy-db', tag: 'prod' },
    { tag: 'prod' },
  ]) {
    const told = await asked(which);
    expect({ ...told, ...one(told) }).toMatchObject({ problem: '', vmid: 100 });
  }
});

test('tags are believed as the nodes list them', async () => {
  await open();
  lab.somebody.before(/^GET .*\/nodes\/pve1\/qemu$/, () => {
    lab.world.guests[205]!.config['tags'] = 'late';
    return Promise.resolve();
  });
  expect(many(await asked({ allWithTag: 'late' })).map(({ vmid }) => vmid)).toEqual([205]);
});

test('a guest that left one list before it was read, and the other one since, is not missed', async () => {
  await open();
  lab.somebody.before(/^GET .*\/nodes\/pve3\/qemu$/, () => {
    lab.world.guests[100]!.node = 'pve1';
    return Promise.resolve();
  });
  expect(many(await asked({ allWithTag: 'web' })).map(({ vmid }) => vmid)).toEqual([100, 205]);
});

test('of a stack whose folder is given, one that only Terraform knows is left out, and said', async () => {
  await open();
  const folder = mkdtempSync(path.join(tmpdir(), 'existing-'));
  const existing = [
    { id: 'db', vmid: 100 },
    { id: 'late', name: { $unknown: '${null_resource.x.id}' } },
  ];
  mkdirSync(path.join(folder, 'proxmox'));
  const state = { ...(JSON.parse(desiredText([])) as object), existing };
  writeFileSync(path.join(folder, 'proxmox', 'lab.json'), JSON.stringify(state));
  const told = await run(['status', '--spec', folder, '-o', 'json'], lab.access);
  rmSync(folder, { recursive: true });
  expect(told.stderr).toContain('existing late: only Terraform knows name: it is not read');
  expect(told.code).toBe(0);
  const { existing: answers } = JSON.parse(told.stdout) as { existing: object };
  expect(Object.keys(answers)).toEqual(['db']);
});

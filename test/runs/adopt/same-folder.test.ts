import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { administratorOf } from '../../support/cluster/administrator';
import { lab, labWorld, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { folderForProgram } from '../../support/runs/whole-cluster';
import { runLine, type Ran } from '../../reconciler/walk/live';

let cluster: Lab;
let program: ReturnType<typeof folderForProgram>;
beforeEach(async () => {
  const world = labWorld();
  world.guests = {};
  world.volumes = world.volumes.filter(({ vmid }) => vmid === undefined);
  cluster = await lab({ world, taskMs: 0 });
  const admin = administratorOf(cluster);
  for (const vmid of ['300', '301', '302'])
    await admin('POST', '/nodes/pve2/qemu', { vmid, name: `g${vmid}`, scsi0: 'local-lvm:1' });
  program = folderForProgram();
});
afterEach(async () => {
  program.remove();
  await cluster.close();
});

const adopt = (...more: string[]): Promise<Ran> =>
  runLine(
    ['adopt', '--owner', 'team/lab', '--cluster', 'lab', '--out', `${program.folder}/`, '--yes', ...more],
    programAccess(cluster.simulator),
  );
const idsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => readFileSync(path.join(folder, name), 'utf8').match(/\bg30\d\b/g) ?? []);
const written = (): string[] => [...new Set(idsIn(program.folder))].sort();

test('what was adopted into a folder before stays in it, whatever a later run chooses', async () => {
  expect((await adopt('300')).code).toBe(0);
  expect((await adopt('301')).code).toBe(0);
  expect(written()).toEqual(['g300', 'g301']);
  expect((await adopt('--all')).code).toBe(0);
  expect(written()).toEqual(['g300', 'g301', 'g302']);
});

test('a folder is not written where a machine of it cannot be read, or was not adopted', async () => {
  await adopt('300', '301');
  const before = program.files();
  cluster.simulator.faults.add({
    path: '/nodes/pve2/qemu/300/pending',
    effect: { kind: 'gateway', status: 595, text: 'no', work: 'not-done' },
  });
  const hidden = await adopt('302');
  expect(hidden).toMatchObject({ code: 2, said: expect.stringContaining('(VM 300)') as unknown });
  cluster.simulator.faults.clear();
  const { config } = cluster.world.guests[301]!;
  config['description'] = config['description']!.replace('"m":"g301"', '"m":"g301","i":"template 9000"');
  expect((await adopt('302')).said).toContain('may hold the program of what team/lab has already (VM 301)');
  expect(program.files()).toEqual(before);
  expect(cluster.world.guests[302]?.config['description']).toBeUndefined();
});

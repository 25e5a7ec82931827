import { brokenInvariants } from '../../../simulator/invariants/broken';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { runLine } from '../../reconciler/walk/live';
import { ActsOnce } from '../../support/cluster/acts-once';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const disk = qcow2(2 ** 30);
const other = qcow2(2 ** 30, 'other');
const nameOf = (data: Buffer) => `pvr-${sha256(data).replace(':', '-')}.qcow2`;
const DISK = `local:import/${nameOf(disk)}`;
const OTHER = `local:import/${nameOf(other)}`;

let cluster: Lab;
let server: ImageServer;
let somebody: ActsOnce;
beforeEach(async () => {
  server = await imageServer({ '/disk.qcow2': disk, '/other.qcow2': other });
  somebody = new ActsOnce();
  cluster = await lab({ before: somebody.asked });
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const machine = (id: string, data: Buffer, fields: Json = {}): Json => ({
  ...{ id, node: 'pve1', power: 'stopped', disks: [{ name: 'root', storage: 'local-lvm' }] },
  image: {
    ...{ url: server.url(data === disk ? '/disk.qcow2' : '/other.qcow2'), checksum: sha256(data) },
    storage: 'local',
  },
  ...fields,
});
const bring = async (...machines: Json[]) => errorsOf(await cluster.run(desired(machines)));
const gcOf = (wanted: Json[], ...more: string[]) =>
  runLine(
    ['gc', '--spec', '-', ...more],
    programAccess(cluster.simulator),
    JSON.stringify(desiredJson(wanted)),
  );
const files = () =>
  cluster.world.volumes
    .filter(({ content }) => content === 'import' || content === 'iso')
    .map(({ volid }) => volid)
    .filter(volid => volid.includes('/pvr-'));
const names = () => Object.values(cluster.world.guests).map(({ config }) => String(config['name']));
const admin = (...given: Parameters<ReturnType<typeof administratorOf>>) =>
  administratorOf(cluster)(...given);

test('an image goes with the last machine that was made of it; one that is wanted stays', async () => {
  const [web, db] = [machine('web', disk), machine('db', other)];
  expect(await bring(web, db)).toEqual([]);
  cluster.simulator.ledger.reset();
  const { out } = await gcOf([web]);
  expect(out).toMatch(/^db: VM \d+ .*gc --yes destroys it with its disks \(.*\)\.$/m);
  expect(out).toContain(`${OTHER} on pve1: nothing uses it. gc --yes removes it.`);
  expect(out).not.toContain(DISK);
  expect(writes(cluster.simulator)).toEqual([]);
  const done = await gcOf([web], '--yes', '--count', '1');
  expect([done.code, done.out.includes(`${OTHER} on pve1: nothing used it, removed.`)]).toEqual([0, true]);
  expect([files(), names().includes('db')]).toEqual([[DISK], false]);
  expect((await gcOf([web], '--yes')).out).toBe('no orphan was found.\n');
});

test('a person is asked for files too, and no file goes without a yes, or that came after the question', async () => {
  expect(await bring(machine('web', disk))).toEqual([]);
  await cluster.destroy('web');
  const questions: string[] = [];
  const asked = (answer: () => string | Promise<string>) =>
    runLine(
      ['gc', '--spec', '-', '--yes'],
      programAccess(cluster.simulator),
      JSON.stringify(desiredJson([])),
      {
        isTTY: true,
        answer: question => {
          questions.push(question);
          return answer();
        },
      },
    );
  expect((await asked(() => 'n')).code).toBe(2);
  expect(questions).toEqual([`1 file that nothing uses is removed: ${DISK} on pve1. Go on? [y/N] `]);
  expect(files()).toEqual([DISK]);
  const late = await asked(async () => {
    await bring(machine('db', other));
    await cluster.destroy('db');
    return 'y';
  });
  expect([late.code, files()]).toEqual([0, [OTHER]]);
  expect(late.out).toContain(`${OTHER} on pve1: nothing uses it. gc --yes removes it.`);
});

test('an image that another owner, or a machine of Terraform, was made of is left alone, and not named', async () => {
  expect(await bring(machine('kept', disk))).toEqual([]);
  const theirs = { ...desired([machine('theirs', other)]), owner: 'others' };
  expect(errorsOf(await cluster.run(theirs))).toEqual([]);
  const kept = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'kept')!;
  kept.config['description'] = kept.config['description']!.replace('{"v":1,', '{"v":1,"e":"e1",');
  const { out } = await gcOf([], '--yes', '--all', '--json');
  const told = JSON.parse(out) as { orphans: Json[]; files: Json[]; others: Json[] };
  expect(told.files).toEqual([]);
  expect(told.others).toMatchObject([{ owner: 'others', machine: 'theirs' }]);
  expect(files().sort()).toEqual([DISK, OTHER].sort());
  expect(names()).toEqual(expect.arrayContaining(['kept', 'theirs']));
});

test('a template that was made of an image goes, and then its file, in one run', async () => {
  const base = machine('base', disk, { asTemplate: true, disks: [{ name: 'root', storage: 'shared' }] });
  expect(await bring(base)).toEqual([]);
  expect((await gcOf([], '--yes', '--count', '1')).code).toBe(0);
  expect([files(), names().includes('base')]).toEqual([[], false]);
});

test('a machine that is made of the image between the listing and the removal keeps it', async () => {
  const web = machine('web', disk);
  expect(await bring(web)).toEqual([]);
  await cluster.destroy('web');
  // the tasks are read first to see that the node answers, and the third time for the removal
  let reads = 0;
  const again = async (): Promise<void> => {
    reads += 1;
    if (reads < 3) somebody.before(/^GET \/nodes\/pve1\/tasks$/, again);
    else await bring(web);
  };
  somebody.before(/^GET \/nodes\/pve1\/tasks$/, again);
  const { out, code } = await gcOf([], '--yes');
  expect(out).toMatch(new RegExp(`${DISK} on pve1: left alone: it is used by now: guest \\d+ on pve\\d`));
  expect([code, files(), reads]).toEqual([0, [DISK], 3]);
});

test('a file that somebody removes between the listing and the removal is done', async () => {
  expect(await bring(machine('web', disk))).toEqual([]);
  await cluster.destroy('web');
  const remove = () => admin('DELETE', `/nodes/pve1/storage/local/content/import/${nameOf(disk)}`);
  somebody.before(/^DELETE .*import/, remove);
  expect([(await gcOf([], '--yes')).code, files()]).toEqual([0, []]);
});

test('an image on shared storage is only named, with the command that removes it', async () => {
  const web = machine('web', disk);
  const shared = { ...(web['image'] as Json), storage: 'shared' };
  expect(await bring({ ...web, image: shared })).toEqual([]);
  await cluster.destroy('web');
  const volume = `shared:import/${nameOf(disk)}`;
  const { out, code } = await gcOf([], '--yes');
  expect(out).toMatch(
    /^shared:import\/pvr-\S+ on pve1: left alone: .*another cluster.*pvesm free shared:import/m,
  );
  expect([code, files()]).toEqual([0, [volume]]);
});

describe('an ISO with cloud-init data', () => {
  const tag = ownerTag('team/lab', 'gone');
  const put = (storage: string) =>
    cluster.world.volumes.push({
      ...cluster.world.volumes.find(({ content }) => content === 'iso')!,
      ...{ volid: `${storage}:iso/${tag}-${'0'.repeat(20)}.iso`, storage },
      ...(storage === 'local' && { node: 'pve2' }),
    });

  test('of a machine that is no more is removed from storage of a node, and only named on shared storage', async () => {
    put('local');
    put('shared');
    const { out, code } = await gcOf([], '--yes');
    expect(out).toMatch(/^local:iso\/pvr-\S+ on pve2: nothing used it, removed\.$/m);
    expect(out).toMatch(/^shared:iso\/pvr-\S+ on pve1: left alone: .*pvesm free shared:iso/m);
    expect([code, files()]).toEqual([0, [`shared:iso/${tag}-${'0'.repeat(20)}.iso`]]);
  });

  test('that a guest names in a drive is not even named', async () => {
    put('local');
    const volume = `local:iso/${tag}-${'0'.repeat(20)}.iso`;
    await cluster.run(desired([{ id: 'user', image: { blank: true }, power: 'stopped' }]));
    const user = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'user')!;
    user.config['ide0'] = `${volume},media=cdrom`;
    const { out } = await gcOf([{ id: 'user', image: { blank: true } }], '--yes');
    expect([out, files()]).toEqual(['no orphan was found.\n', [volume]]);
  });
});

test('who cannot see all guests removes no file', async () => {
  expect(await bring(machine('web', disk))).toEqual([]);
  await cluster.destroy('web');
  cluster.simulator.ledger.reset();
  const acl = { path: '/vms', users: 'pruner@pve', roles: 'PVEVMAdmin', propagate: '0' };
  await admin('POST', '/access/users', { userid: 'pruner@pve', password: 'secret123' });
  await admin('PUT', '/access/acl', {
    path: '/',
    users: 'pruner@pve',
    roles: 'PVEDatastoreAdmin,PVEAuditor',
  });
  await admin('PUT', '/access/acl', acl);
  const { PVE_TOKEN_ID: _, PVE_TOKEN_SECRET: __, ...access } = programAccess(cluster.simulator);
  const { out } = await runLine(
    ['gc', '--spec', '-', '--yes'],
    { ...access, PVE_USERNAME: 'pruner@pve', PVE_PASSWORD: 'secret123' },
    JSON.stringify(desiredJson([])),
  );
  expect(out).toMatch(/left alone: who uses it cannot be seen without VM\.Audit on \/vms/);
  expect(files()).toEqual([DISK]);
});

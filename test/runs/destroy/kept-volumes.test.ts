import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const disk = (name: string, more: Json = {}) => ({ name, size: '1G', storage: 'local-lvm', ...more });
const web = (more: Json = {}) => ({
  ...{ id: 'web', vmid: 700, node: 'pve1', image: { blank: true }, power: 'stopped' },
  disks: [disk('root')],
  ...more,
});

let cluster: Lab;
let before: (request: string) => void;
beforeEach(async () => {
  before = () => undefined;
  cluster = await lab({ before: ({ method, path }) => before(`${method} ${path}`) });
  for (const disks of [[disk('root'), disk('data')], [disk('root')]])
    expect(errorsOf(await cluster.run(desired([web({ disks })])))).toEqual([]);
  expect(volumes()).toEqual(['local-lvm:vm-700-disk-0', KEPT]);
});
afterEach(() => cluster.close());

const KEPT = 'local-lvm:vm-700-disk-1';
const volumes = (): string[] =>
  cluster.world.volumes.filter(({ vmid }) => vmid === 700).map(({ volid }) => volid);
const line = (want: Json[], words: string[], answer?: (question: string) => string) =>
  runLine(
    [...words, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(want)),
    answer === undefined ? {} : { answer },
  );

const WHY = `guest 700 on pve1 holds a volume that was kept: unused0 ${KEPT}`;

test('a kept volume holds up its destroy by name, by gc and by Terraform, each with the ways out', async () => {
  const named = await line([web()], ['destroy', 'web', '--yes']);
  expect(named.code).toBe(3);
  expect(named.said).toContain(WHY);
  expect(named.said).toContain('qm disk move 700 unused0 --target-vmid OTHER --target-disk unused0');
  expect(named.said).toContain('--with-kept-volumes');
  const gone = await line([], ['gc', '--yes']);
  expect(gone).toMatchObject({ code: 3, out: expect.stringContaining(WHY) });
  await expect(cluster.destroy('web')).rejects.toThrow(WHY);
  expect(volumes()).toEqual(['local-lvm:vm-700-disk-0', KEPT]);
});

test('a kept volume holds up a rebuild, in the plan and in the apply', async () => {
  const anew = web({ image: { template: 'ubuntu-22.04' }, rebuildOn: ['image'], disks: [{ name: 'root' }] });
  const planned = await line([anew], ['plan']);
  expect(planned.out).toContain(WHY);
  expect(errorsOf(await cluster.run(desired([anew]))).join()).toContain(WHY);
  expect(volumes()).toEqual(['local-lvm:vm-700-disk-0', KEPT]);
});

test('by the flag, and by the word once it is applied, it goes, and is named', async () => {
  const asked: string[] = [];
  const answer = (question: string): string => (asked.push(question), 'y');
  const ran = await line([web()], ['destroy', 'web', '--with-kept-volumes'], answer);
  expect(ran).toMatchObject({ code: 0 });
  expect(asked[0]).toContain(KEPT);
  expect(volumes()).toEqual([]);
});

test('gc takes it with the flag, and names it', async () => {
  expect((await line([], ['gc'])).out).toContain(WHY);
  const names = `with its disks (root 1Gi local-lvm:vm-700-disk-0, unused0 ${KEPT} that was kept)`;
  expect((await line([], ['gc', '--with-kept-volumes'])).out).toContain(`gc --yes destroys it ${names}.`);
  const ran = await line([], ['gc', '--yes', '--count', '1', '--with-kept-volumes']);
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(`destroyed ${names}.`) });
  expect(volumes()).toEqual([]);
});

test('nobody is asked where it is refused', async () => {
  const asked: string[] = [];
  const ran = await line([web()], ['destroy', 'web'], question => (asked.push(question), 'y'));
  expect(ran).toMatchObject({ code: 3, said: expect.stringContaining(WHY) });
  expect(asked).toEqual([]);
});

test('the word of the spec lets it go by Terraform too, which has no spec', async () => {
  expect(errorsOf(await cluster.run(desired([web({ keptVolumes: 'destroy' })])))).toEqual([]);
  await cluster.destroy('web');
  expect(volumes()).toEqual([]);
});

test('a volume that somebody detaches after the question stops the destroy', async () => {
  cluster.world.guests[700]!.config['scsi0'] += '';
  const ran = await line([web()], ['destroy', 'web', '--with-kept-volumes'], () => {
    const { config } = cluster.world.guests[700]!;
    config['unused1'] = 'local-lvm:vm-700-disk-9';
    return 'y';
  });
  expect(ran).toMatchObject({ code: 3, said: expect.stringContaining('local-lvm:vm-700-disk-9') });
  expect(cluster.world.guests[700]).toBeDefined();
});

import { administratorOf } from '../../support/cluster/administrator';
import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { until } from '../../support/daemon/daemon-lab';
import { programAccess } from '../../support/cluster/program-access';

const disk = (name: string, more: Json = {}) => ({ name, size: '1G', storage: 'local-lvm', ...more });
const web = (...more: Json[]) => ({
  ...{ id: 'web', vmid: 700, node: 'pve1', image: { blank: true }, power: 'stopped' },
  disks: [disk('root'), ...more],
});
const scratch = disk('scratch', { onRemove: 'delete' });

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(errorsOf(await cluster.run(desired([web(scratch)])))).toEqual([]);
});
afterEach(() => cluster.close());

const line = (want: Json[], words: string[], answer?: (question: string) => Promise<string>) =>
  runLine(
    [...words, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(want)),
    answer === undefined ? {} : { answer },
  );
const snapshotByHand = async (snapname: string) =>
  expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/700/snapshot', { snapname })).toBe(true);

test('a disk that goes with its volume is named as lost by the plan', async () => {
  expect((await line([web()], ['plan'])).out).toContain('LOST: volume scratch 1Gi local-lvm:vm-700-disk-1');
  const planned = JSON.parse((await line([web()], ['plan', '--json'])).out) as Json;
  expect(JSON.stringify(planned)).toContain('"losses":{"volumes":[{"slot":"scsi1"');
});

test('snapshots made by hand and disks attached by hand are named by question, gc and orphan line', async () => {
  await snapshotByHand('byhand');
  const asked: string[] = [];
  const answer = (question: string) => (asked.push(question), Promise.resolve('n'));
  await line([web(scratch)], ['destroy', 'web'], answer);
  expect(asked[0]).toContain('scratch 1Gi local-lvm:vm-700-disk-1) and its snapshots (byhand).');
  for (const verb of ['gc', 'plan']) {
    const { out, said } = await line([], [verb]);
    expect(`${out}${said}`).toContain('and its snapshots (byhand)');
  }
});

test('a snapshot that somebody takes after the question stops the destroy', async () => {
  const answer = async () => {
    await snapshotByHand('late');
    return 'y';
  };
  const ran = await line([web(scratch)], ['destroy', 'web'], answer);
  expect(ran).toMatchObject({
    code: 3,
    said: expect.stringContaining('would take more than was named: snapshot late'),
  });
  expect(cluster.world.guests[700]).toBeDefined();
});

test.each([
  ['destroy', ['destroy', 'web'], [web(scratch)]],
  ['gc', ['gc', '--yes'], []],
])(
  'a restore after the question stops the %s: other disks may have the names that it said',
  async (_, words, want) => {
    const answer = () => {
      cluster.world.guests[700]!.config['vmgenid'] = '11111111-2222-4333-8444-555555555555';
      return Promise.resolve('y');
    };
    const ran = await line(want, words, answer);
    expect(ran.code).toBe(3);
    expect(`${ran.out}${ran.said}`).toContain('was rolled back, or restored from a backup, since');
    expect(cluster.world.guests[700]).toBeDefined();
  },
);

test('the question finds a machine that lost its tag, as the destroy does', async () => {
  delete cluster.world.guests[700]!.config['tags'];
  const asked: string[] = [];
  const answer = (question: string) => (asked.push(question), Promise.resolve('y'));
  expect((await line([web(scratch)], ['destroy', 'web'], answer)).code).toBe(0);
  expect(asked[0]).toContain(
    'web (VM 700 on pve1, of team/lab in cluster lab) is destroyed with its disks (root',
  );
  expect(cluster.world.guests[700]).toBeUndefined();
});

test('what the question did not find is not destroyed when it is there again', async () => {
  const guest = cluster.world.guests[700]!;
  const description = guest.config['description'];
  delete guest.config['tags'];
  guest.config['description'] = 'nothing of ours';
  const answer = () => {
    guest.config['description'] = description!;
    return Promise.resolve('y');
  };
  const ran = await line([web(scratch)], ['destroy', 'web'], answer);
  expect(ran).toMatchObject({ code: 3, said: expect.stringContaining('would take more than was named') });
  expect(cluster.world.guests[700]).toBeDefined();
});

test('a snapshot that stays when the first one is deleted after a rollback is named, though no parent tells of it', async () => {
  const path = '/nodes/pve1/qemu/700/snapshot';
  const ask = administratorOf(cluster);
  const quiet = () =>
    until(
      () => cluster.world.guests[700]!.config['lock'] ?? '',
      lock => lock === '',
    );
  for (const snapname of ['first', 'later']) {
    await snapshotByHand(snapname);
    await quiet();
  }
  await ask('POST', `${path}/first/rollback`, {});
  await quiet();
  await ask('DELETE', `${path}/first`, {});
  await quiet();
  expect(cluster.world.guests[700]!.config['parent']).toBeUndefined();
  const asked: string[] = [];
  const answer = (question: string) => (asked.push(question), Promise.resolve('n'));
  await line([web(scratch)], ['destroy', 'web'], answer);
  expect(asked[0]).toContain('its snapshots (later)');
  expect((await line([], ['gc'])).out).toContain('its snapshots (later)');
});

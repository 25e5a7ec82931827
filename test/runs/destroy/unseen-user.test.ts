import { runLine } from '../../reconciler/walk/live';
import { desiredJson, type Json } from '../../support/cluster/lab';
import { NARROW, narrowTokenLab, type NarrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { programAccess } from '../../support/cluster/program-access';

const CONFIG = ['CDROM', 'CPU', 'Cloudinit', 'Disk', 'HWType', 'Memory', 'Network', 'Options'];
const ON_GUEST = ['VM.Allocate', 'VM.Audit', 'VM.PowerMgmt', ...CONFIG.map(area => `VM.Config.${area}`)];
const RULES = [
  { path: '/vms/555', privileges: ON_GUEST },
  { path: '/storage', privileges: ['Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit'] },
  { path: '/nodes', privileges: ['Sys.Audit'] },
  { path: '/', privileges: ['Sys.Audit'], propagate: false },
];
const THEIRS = 'local-lvm:vm-100-disk-0';
const BLIND = 'nobody knows whether another guest uses it: the user does not see all guests';

let cluster: NarrowTokenLab;
beforeEach(async () => {
  cluster = await narrowTokenLab();
  cluster.allow(...RULES);
});
afterEach(() => cluster.close());

const web = (volume: string): Json => ({
  ...{ id: 'web', vmid: 555, node: 'pve3', image: { blank: true }, power: 'stopped' },
  disks: [
    { name: 'root', size: '1G', storage: 'local-lvm' },
    { name: 'data', existingVolume: volume },
  ],
});
const line = (volume: string, ...words: string[]) =>
  runLine(
    [...words, '--spec', '-'],
    {
      ...programAccess(cluster.simulator),
      ...{ PVE_TOKEN_ID: NARROW.id, PVE_TOKEN_SECRET: NARROW.secret, PVE_TASK_POLL_INTERVAL: '5ms' },
    },
    JSON.stringify(desiredJson([web(volume)])),
  );

test('the disk of a guest that the caller does not see is not attached, and the plan says why', async () => {
  const planned = await line(THEIRS, 'plan');
  expect(planned.out).toContain(`disk "data" is to be ${THEIRS}, and ${BLIND}`);
  expect(planned.out).toContain('Grant VM.Audit on /vms');
  expect((await line(THEIRS, 'reconcile')).code).toBe(3);
  expect(cluster.world.guests[555]).toBeUndefined();
});

test('nor one with the number of nobody who is seen', async () => {
  expect((await line('local-lvm:vm-998-disk-0', 'plan')).out).toContain(BLIND);
});

test('a volume with the number of the machine itself is no doubt', async () => {
  expect((await line('local-lvm:vm-555-disk-7', 'plan')).out).not.toContain(BLIND);
});

test('the privilege that it names is enough, and permissions asks for it', async () => {
  expect((await line(THEIRS, 'permissions')).out).toMatch(/# on \/vms: VM\.Audit for seeing who else uses/);
  cluster.allow(...RULES, { path: '/vms', privileges: ['VM.Audit'] });
  const { out } = await line(THEIRS, 'plan');
  expect(out).not.toContain(BLIND);
  expect(out).toContain('guest 100 on pve3 uses it');
});

test.each([
  ['is told that it may be there', RULES, true],
  [
    'is told that it is gone where all guests are seen',
    [...RULES, { path: '/vms', privileges: ['VM.Audit'] }],
    false,
  ],
])('a destroy of a machine that is not listed %s', async (_, rules, isDoubted) => {
  cluster.allow(...rules);
  const { said } = await line(THEIRS, 'destroy', 'web', '--yes');
  expect(said).toContain('web: is already gone');
  expect(/web: .*may be there all the same.*Grant VM.Audit on \/vms/.test(said)).toBe(isDoubted);
});
